import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.function.Consumer;

// region sandbox
/** An account of the sandbox that `kredo exec` started: a wallet, a clock, credentials and a receiver of its own. */
final class Account implements AutoCloseable {
    private final HttpClient client = HttpClient.newHttpClient();
    private final HttpServer receiver;
    final String key;
    final String secret;

    Account(Consumer<String> take) throws Exception {
        var opened = control("POST", "accounts", "{\"balance\":\"500.00\",\"clock\":\"manual\"}");
        key = Json.text(opened, "consumer_key");
        secret = Json.text(opened, "consumer_secret");
        receiver = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        receiver.createContext("/hooks", exchange -> {
            take.accept(new String(exchange.getRequestBody().readAllBytes()));
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        receiver.start();
        call("PUT", "callbacks", "{\"airtime\":\"http://127.0.0.1:%d/hooks\"}".formatted(receiver.getAddress().getPort()));
    }

    /** Moves time on, and has every callback that falls due sent and answered. */
    void advance(String by) throws Exception {
        call("POST", "clock/advance", "{\"by\":\"%s\"}".formatted(by));
    }

    String call(String method, String path, String body) throws Exception {
        return control(method, "accounts/" + key + "/" + path, body);
    }

    private String control(String method, String path, String body) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create(System.getenv("KREDO_URL") + "/__admin/" + path))
                .header("Authorization", "Bearer " + System.getenv("KREDO_ADMIN_TOKEN"))
                .header("Content-Type", "application/json")
                .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                .build();
        var answer = client.send(request, BodyHandlers.ofString());
        if (answer.statusCode() >= 400) throw new IOException(answer.body());
        return answer.body();
    }

    @Override
    public void close() {
        receiver.stop(0);
    }
}
// endregion
