import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Base64;

class Client {
    public static void main(String[] arguments) throws Exception {
        String token = Base64.getEncoder().encodeToString("sandbox-key:sandbox-secret".getBytes());
        HttpRequest request = HttpRequest.newBuilder(URI.create("https://api.gateway.example/api/v2/account-details"))
            .header("Authorization", "Basic " + token)
            .timeout(Duration.ofSeconds(10))
            .build();
        System.out.println(HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).statusCode());
    }
}
