// Maven: org.testcontainers:testcontainers-junit-jupiter, 2.0.2 or newer for Docker 29 (or org.testcontainers:junit-jupiter 1.21.4)
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.junit.jupiter.Container;
import org.testcontainers.junit.jupiter.Testcontainers;

@Testcontainers
class KredoTest {
    // region container
    @Container
    static final GenericContainer<?> KREDO = new GenericContainer<>("kredo:0.1.0")
        .withExposedPorts(8254)
        .withEnv("KREDO_CALLBACK_URL", "http://host.docker.internal:3000/hooks")
        .withExtraHost("host.docker.internal", "host-gateway")
        .waitingFor(Wait.forHttp("/readyz").forPort(8254));

    static String baseUrl() {
        return "http://" + KREDO.getHost() + ":" + KREDO.getMappedPort(8254) + "/api/v2";
    }
    // endregion

    @Test
    void sellsATopUp() throws Exception {
        var credentials = Base64.getEncoder().encodeToString("sandbox-key:sandbox-secret".getBytes());
        var order = HttpRequest.newBuilder(URI.create(baseUrl() + "/airtime"))
            .header("Authorization", "Basic " + credentials)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString("{\"phone_number\":\"254712345678\",\"amount\":\"100\"}"))
            .build();

        assertEquals(200, HttpClient.newHttpClient().send(order, BodyHandlers.ofString()).statusCode());
    }
}
