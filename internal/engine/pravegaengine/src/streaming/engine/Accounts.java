// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package streaming.engine;

import io.pravega.shared.security.crypto.StrongPasswordProcessor;
import java.io.ByteArrayInputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;

/**
 * Makes of a directory's PEM files what the server reads: DIRECTORY PASSWORD [USER PASSWORD RIGHTS]...
 * There are server.key, server.crt and ca.crt; it adds server.jks, trust.jks and accounts.
 */
public final class Accounts {
    private Accounts() {}

    public static void main(String[] args) throws Exception {
        Path directory = Path.of(args[0]);
        char[] password = args[1].toCharArray();

        KeyStore server = empty();
        Certificate[] chain = {certificate(directory, "server.crt"), certificate(directory, "ca.crt")};
        server.setKeyEntry("server", key(directory, "server.key"), password, chain);
        write(server, directory.resolve("server.jks"), password);

        KeyStore trust = empty();
        trust.setCertificateEntry("ca", certificate(directory, "ca.crt"));
        write(trust, directory.resolve("trust.jks"), password);

        StrongPasswordProcessor passwords = StrongPasswordProcessor.builder().build();
        try (PrintStream accounts = new PrintStream(directory.resolve("accounts").toFile(), StandardCharsets.UTF_8)) {
            for (int i = 2; i + 2 < args.length; i += 3) {
                accounts.println(args[i] + ":" + passwords.encryptPassword(args[i + 1]) + ":" + args[i + 2]);
            }
        }
    }

    private static KeyStore empty() throws Exception {
        KeyStore store = KeyStore.getInstance("JKS");
        store.load(null, null);
        return store;
    }

    private static void write(KeyStore store, Path file, char[] password) throws Exception {
        try (OutputStream out = Files.newOutputStream(file)) {
            store.store(out, password);
        }
    }

    private static Certificate certificate(Path directory, String file) throws Exception {
        byte[] pem = Files.readAllBytes(directory.resolve(file));
        return CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(pem));
    }

    private static PrivateKey key(Path directory, String file) throws Exception {
        String pem = Files.readString(directory.resolve(file)).replaceAll("-----[A-Z ]+-----|\\s", "");
        return KeyFactory.getInstance("RSA").generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(pem)));
    }
}
