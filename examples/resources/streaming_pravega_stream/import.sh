# By scope and stream, with a slash between:
terraform import streaming_pravega_stream.clicks orders/clicks
