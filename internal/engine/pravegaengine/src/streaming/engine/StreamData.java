// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package streaming.engine;

import io.pravega.client.BatchClientFactory;
import io.pravega.client.ClientConfig;
import io.pravega.client.EventStreamClientFactory;
import io.pravega.client.admin.KeyValueTableManager;
import io.pravega.client.admin.ReaderGroupManager;
import io.pravega.client.admin.StreamManager;
import io.pravega.client.batch.SegmentIterator;
import io.pravega.client.batch.SegmentRange;
import io.pravega.client.stream.EventStreamWriter;
import io.pravega.client.stream.EventWriterConfig;
import io.pravega.client.stream.ReaderGroupConfig;
import io.pravega.client.stream.RetentionPolicy;
import io.pravega.client.stream.RetentionPolicy.RetentionType;
import io.pravega.client.stream.Stream;
import io.pravega.client.stream.StreamConfiguration;
import io.pravega.client.stream.StreamCut;
import io.pravega.client.stream.TruncatedDataException;
import io.pravega.client.stream.impl.UTF8StringSerializer;
import io.pravega.client.tables.KeyValueTableConfiguration;
import io.pravega.shared.security.auth.DefaultCredentials;
import java.net.URI;
import java.util.Iterator;

/**
 * Does to streams what REST cannot: OPERATION URI SCOPE NAME [ARGUMENTS].
 *
 * <pre>
 * write EVENTS             write so many events
 * count                    count the events; segment by segment, so that no reader group is left behind
 * retain TYPE PARAM [MAX]  set the retention in milliseconds or bytes
 * retention                tell the retention
 * group STREAM             make a reader group called NAME, of a stream
 * table                    make a key-value table called NAME
 * </pre>
 *
 * It answers with a line that begins with ANSWER. Where the server asks for it, the environment has a
 * user, a password, and the file of an authority to trust.
 */
public final class StreamData {
    private StreamData() {}

    public static void main(String[] args) throws Exception {
        System.out.println("ANSWER " + answer(config(args[1]), args[0], args[2], args[3], args));
        // Threads of the client library would keep the program alive.
        System.exit(0);
    }

    private static ClientConfig config(String controller) {
        ClientConfig.ClientConfigBuilder builder = ClientConfig.builder().controllerURI(URI.create(controller));
        String user = System.getenv("STREAMING_PRAVEGA_USERNAME");
        if (user != null) {
            builder.credentials(new DefaultCredentials(System.getenv("STREAMING_PRAVEGA_PASSWORD"), user));
        }
        String authority = System.getenv("STREAMING_PRAVEGA_CA_FILE");
        if (authority != null) {
            builder.trustStore(authority);
        }
        return builder.build();
    }

    private static Object answer(ClientConfig config, String operation, String scope, String name, String[] args) {
        switch (operation) {
            case "write":
                return write(config, scope, name, Integer.parseInt(args[4]));
            case "count":
                return count(config, scope, name);
            case "retain":
                return retain(config, scope, name, args);
            case "retention":
                return retention(config, scope, name);
            case "group":
                try (ReaderGroupManager groups = ReaderGroupManager.withScope(scope, config)) {
                    return groups.createReaderGroup(
                            name, ReaderGroupConfig.builder().stream(Stream.of(scope, args[4])).build());
                }
            case "table":
                try (KeyValueTableManager tables = KeyValueTableManager.create(config)) {
                    return tables.createKeyValueTable(
                            scope, name, KeyValueTableConfiguration.builder().partitionCount(1).primaryKeyLength(8).build());
                }
            default:
                throw new IllegalArgumentException("no such operation: " + operation);
        }
    }

    private static int write(ClientConfig config, String scope, String stream, int events) {
        try (EventStreamClientFactory clients = EventStreamClientFactory.withScope(scope, config);
                EventStreamWriter<String> writer =
                        clients.createEventWriter(
                                stream, new UTF8StringSerializer(), EventWriterConfig.builder().build())) {
            for (int i = 0; i < events; i++) {
                // The keys spread the events over all segments.
                writer.writeEvent("key-" + i % 64, "event-" + i);
            }
            writer.flush();
        }
        return events;
    }

    private static long count(ClientConfig config, String scope, String stream) {
        while (true) {
            try {
                return countOnce(config, scope, stream);
            } catch (TruncatedDataException e) {
                // A retention cycle came in between: there are fewer now.
                continue;
            }
        }
    }

    private static long countOnce(ClientConfig config, String scope, String stream) {
        long events = 0;
        try (BatchClientFactory clients = BatchClientFactory.withScope(scope, config)) {
            Iterator<SegmentRange> ranges =
                    clients.getSegments(Stream.of(scope, stream), StreamCut.UNBOUNDED, StreamCut.UNBOUNDED)
                            .getIterator();
            while (ranges.hasNext()) {
                try (SegmentIterator<String> segment =
                        clients.readSegment(ranges.next(), new UTF8StringSerializer())) {
                    for (; segment.hasNext(); segment.next()) {
                        events++;
                    }
                }
            }
        }
        return events;
    }

    private static boolean retain(ClientConfig config, String scope, String stream, String[] args) {
        try (StreamManager streams = StreamManager.create(config)) {
            StreamConfiguration now = streams.fetchStreamInfo(scope, stream).join().getStreamConfiguration();
            RetentionPolicy.RetentionPolicyBuilder policy =
                    RetentionPolicy.builder()
                            .retentionType(RetentionType.valueOf(args[4]))
                            .retentionParam(Long.parseLong(args[5]))
                            .retentionMax(args.length > 6 ? Long.parseLong(args[6]) : Long.MAX_VALUE);
            return streams.updateStream(scope, stream, now.toBuilder().retentionPolicy(policy.build()).build());
        }
    }

    private static String retention(ClientConfig config, String scope, String stream) {
        try (StreamManager streams = StreamManager.create(config)) {
            RetentionPolicy policy =
                    streams.fetchStreamInfo(scope, stream).join().getStreamConfiguration().getRetentionPolicy();
            if (policy == null) {
                return "none";
            }
            return policy.getRetentionType() + " " + policy.getRetentionParam() + " " + policy.getRetentionMax();
        }
    }
}
