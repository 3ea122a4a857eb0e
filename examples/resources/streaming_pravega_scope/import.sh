# By the scope's name:
terraform import streaming_pravega_scope.orders orders
