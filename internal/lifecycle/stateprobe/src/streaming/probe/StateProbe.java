// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package streaming.probe;

import java.io.FileNotFoundException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Paths;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * Answers questions about checkpoints and savepoints on the file systems of the cluster.
 *
 * <p>It is called through {@code /jars/:id/plan}: the plan of its job has the answer as its name, and
 * the job is never started. Arguments: {@code v1 TIMEOUT_MS (OP ARG)...}; the operations are {@code
 * exists PATH}, {@code newest DIR}, {@code list DIR} and {@code copy ID/NAME}, which copies an upload
 * to a name beside it. The answer is {@code {"v":1,"results":[...]}}, one result for each operation,
 * in order.
 */
public final class StateProbe implements Runnable {
    private static final String METADATA = "_metadata";
    private static final String CHECKPOINT = "chk-";
    private static final String SAVEPOINT = "savepoint-";

    /** Nothing copies, or reads a copy, for so long: an older one was left behind. */
    private static final long HOUR_MS = 3_600_000;

    private final String[] arguments;
    private final List<String> results = new ArrayList<String>();

    private StateProbe(String[] arguments) {
        this.arguments = arguments;
    }

    public static void main(String[] args) throws Exception {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
        env.fromSequence(1, 1).print();
        env.execute(answer(args));
    }

    private static String answer(String[] args) throws InterruptedException {
        if (args.length < 2 || !"v1".equals(args[0]) || args.length % 2 != 0) {
            return "{\"v\":1,\"error\":\"the arguments are not v1 TIMEOUT_MS (OP ARG)...\"}";
        }
        StateProbe probe = new StateProbe(args);
        // A file system that hangs must not hang the request: the cluster has few threads for these.
        Thread worker = new Thread(probe, "state-probe");
        worker.setDaemon(true);
        worker.start();
        worker.join(Math.max(1, Long.parseLong(args[1])));
        worker.interrupt();
        return probe.render();
    }

    @Override
    public void run() {
        for (int i = 2; i < arguments.length; i += 2) {
            String result;
            try {
                result = perform(arguments[i], arguments[i + 1]);
            } catch (Throwable failure) {
                result = error(failure.getClass().getName() + ": " + failure.getMessage());
            }
            synchronized (results) {
                results.add(result);
            }
        }
    }

    private String render() {
        StringBuilder out = new StringBuilder("{\"v\":1,\"results\":[");
        synchronized (results) {
            for (int i = 0; i < (arguments.length - 2) / 2; i++) {
                out.append(i == 0 ? "" : ",");
                out.append(i < results.size() ? results.get(i) : error("timed out"));
            }
        }
        return out.append("]}").toString();
    }

    private static String perform(String operation, String argument) throws Exception {
        if ("copy".equals(operation)) {
            return copy(argument);
        }
        Path path = new Path(argument);
        FileSystem files = path.getFileSystem();
        if ("exists".equals(operation)) {
            return exists(files, path);
        }
        if ("newest".equals(operation)) {
            return new Search(files).under(path);
        }
        if ("list".equals(operation)) {
            return list(files, path);
        }
        return error("unknown operation " + operation);
    }

    private static String exists(FileSystem files, Path path) throws Exception {
        boolean exists = files.exists(path);
        boolean dir = exists && files.getFileStatus(path).isDir();
        return "{\"exists\":" + exists + ",\"dir\":" + dir + "}";
    }

    private static String list(FileSystem files, Path dir) throws Exception {
        FileStatus[] children = children(files, dir);
        StringBuilder out = new StringBuilder("{\"exists\":").append(children != null);
        out.append(",\"children\":[");
        for (int i = 0; children != null && i < children.length; i++) {
            FileStatus child = children[i];
            boolean complete = child.isDir() && files.exists(new Path(child.getPath(), METADATA));
            out.append(i == 0 ? "" : ",");
            out.append("{\"name\":").append(quote(child.getPath().getName()));
            out.append(",\"dir\":").append(child.isDir());
            out.append(",\"modified\":").append(child.getModificationTime());
            out.append(",\"complete\":").append(complete).append("}");
        }
        return out.append("]}").toString();
    }

    private static String copy(String argument) throws Exception {
        int slash = argument.indexOf('/');
        String id = argument.substring(0, Math.max(0, slash));
        String name = argument.substring(slash + 1);
        if (!isName(id, ".jar") || !isName(name, ".zip")) {
            return error("not an upload and the name of a copy: " + argument);
        }
        // This program is an upload itself.
        java.nio.file.Path uploads =
                Paths.get(StateProbe.class.getProtectionDomain().getCodeSource().getLocation().toURI()).getParent();
        java.nio.file.Path upload = uploads.resolve(id);
        if (!Files.isRegularFile(upload, LinkOption.NOFOLLOW_LINKS)) {
            return error("no upload " + id);
        }
        long now = System.currentTimeMillis();
        java.nio.file.Path copy = uploads.resolve(name);
        if (Files.isRegularFile(copy, LinkOption.NOFOLLOW_LINKS) && Files.size(copy) == Files.size(upload)) {
            Files.setLastModifiedTime(copy, FileTime.fromMillis(now));
        } else {
            java.nio.file.Path part = Files.createTempFile(uploads, name, ".part");
            try {
                Files.copy(upload, part, StandardCopyOption.REPLACE_EXISTING);
                Files.move(part, copy, StandardCopyOption.ATOMIC_MOVE);
            } finally {
                Files.deleteIfExists(part);
            }
        }
        try (DirectoryStream<java.nio.file.Path> copies = Files.newDirectoryStream(uploads, "*.zip*")) {
            for (java.nio.file.Path old : copies) {
                if (Files.getLastModifiedTime(old).toMillis() < now - HOUR_MS) {
                    Files.deleteIfExists(old);
                }
            }
        }
        return "{\"path\":" + quote(copy.toString()) + "}";
    }

    /** Whether a text is the name of a file, and of no file elsewhere. */
    private static boolean isName(String text, String ending) {
        return text.length() > ending.length()
                && text.endsWith(ending)
                && text.indexOf('/') < 0
                && text.indexOf('\\') < 0
                && text.indexOf('\0') < 0;
    }

    /** Returns null for a directory that does not exist: file systems differ in how they say so. */
    private static FileStatus[] children(FileSystem files, Path dir) throws Exception {
        try {
            FileStatus[] found = files.listStatus(dir);
            return found == null || found.length == 0 && !files.exists(dir) ? null : found;
        } catch (FileNotFoundException missing) {
            return null;
        }
    }

    /** The search for the newest complete checkpoint or savepoint. */
    private static final class Search {
        private final FileSystem files;
        private FileStatus newest;
        private Path newestDir;
        private int incomplete;

        Search(FileSystem files) {
            this.files = files;
        }

        String under(Path dir) throws Exception {
            FileStatus[] top = children(files, dir);
            for (int i = 0; top != null && i < top.length; i++) {
                if (!consider(top[i]) && isJobFolder(top[i])) {
                    FileStatus[] below = children(files, top[i].getPath());
                    for (int j = 0; below != null && j < below.length; j++) {
                        consider(below[j]);
                    }
                }
            }
            StringBuilder out = new StringBuilder("{\"exists\":").append(top != null);
            out.append(",\"empty\":").append(top == null || top.length == 0);
            if (newest == null) {
                out.append(",\"path\":null");
            } else {
                boolean checkpoint = newestDir.getName().startsWith(CHECKPOINT);
                out.append(",\"path\":").append(quote(newestDir.toString()));
                out.append(",\"kind\":\"").append(checkpoint ? "checkpoint" : "savepoint").append("\"");
                out.append(",\"modified\":").append(newest.getModificationTime());
            }
            return out.append(",\"incomplete\":").append(incomplete).append("}").toString();
        }

        /** Returns whether the name is that of a checkpoint or savepoint, complete or not. */
        private boolean consider(FileStatus found) throws Exception {
            String name = found.getPath().getName();
            if (!found.isDir() || !name.startsWith(CHECKPOINT) && !name.startsWith(SAVEPOINT)) {
                return false;
            }
            FileStatus metadata;
            try {
                metadata = files.getFileStatus(new Path(found.getPath(), METADATA));
            } catch (FileNotFoundException missing) {
                incomplete++;
                return true;
            }
            if (newest == null || isNewer(metadata, found.getPath())) {
                newest = metadata;
                newestDir = found.getPath();
            }
            return true;
        }

        private boolean isNewer(FileStatus metadata, Path dir) {
            long difference = metadata.getModificationTime() - newest.getModificationTime();
            return difference > 0 || difference == 0 && number(dir) > number(newestDir);
        }

        private static long number(Path dir) {
            try {
                return Long.parseLong(dir.getName().substring(CHECKPOINT.length()));
            } catch (RuntimeException notNumbered) {
                return -1;
            }
        }

        /** State that checkpoints share can be thousands of files: it is not looked into. */
        private static boolean isJobFolder(FileStatus found) {
            String name = found.getPath().getName();
            return found.isDir() && !"shared".equals(name) && !"taskowned".equals(name);
        }
    }

    private static String error(String message) {
        return "{\"error\":" + quote(message) + "}";
    }

    private static String quote(String text) {
        StringBuilder out = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ' || c > '~') {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        return out.append('"').toString();
    }
}
