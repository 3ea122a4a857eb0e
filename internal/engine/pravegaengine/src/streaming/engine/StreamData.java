// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package streaming.engine;

import io.pravega.client.BatchClientFactory;
import io.pravega.client.ClientConfig;
import io.pravega.client.EventStreamClientFactory;
import io.pravega.client.batch.SegmentIterator;
import io.pravega.client.batch.SegmentRange;
import io.pravega.client.stream.EventStreamWriter;
import io.pravega.client.stream.EventWriterConfig;
import io.pravega.client.stream.Stream;
import io.pravega.client.stream.StreamCut;
import io.pravega.client.stream.impl.UTF8StringSerializer;
import java.net.URI;
import java.util.Iterator;

/**
 * Writes events to a stream, or counts those it holds: write|count URI SCOPE STREAM [EVENTS]. Counting
 * goes segment by segment and leaves no reader group behind.
 */
public final class StreamData {
    private StreamData() {}

    public static void main(String[] args) throws Exception {
        ClientConfig config = ClientConfig.builder().controllerURI(URI.create(args[1])).build();
        long events;
        switch (args[0]) {
            case "write":
                events = write(config, args[2], args[3], Integer.parseInt(args[4]));
                break;
            case "count":
                events = count(config, args[2], args[3]);
                break;
            default:
                throw new IllegalArgumentException("neither write nor count: " + args[0]);
        }
        System.out.println("EVENTS " + events);
        // Threads of the client library would keep the program alive.
        System.exit(0);
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
}
