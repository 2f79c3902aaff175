// dotnet add package Testcontainers
using System;
using System.Net;
using System.Net.Http;
using System.Net.Http.Headers;
using System.Text;
using System.Threading.Tasks;
using DotNet.Testcontainers.Builders;
using Xunit;

public class KredoTests
{
    [Fact]
    public async Task SellsATopUp()
    {
        await using var kredo = new ContainerBuilder("kredo:0.1.0")
            .WithPortBinding(8254, true)
            .WithEnvironment("KREDO_CALLBACK_URL", "http://host.docker.internal:3000/hooks")
            .WithExtraHost("host.docker.internal", "host-gateway")
            .WithWaitStrategy(Wait.ForUnixContainer().UntilHttpRequestIsSucceeded(request => request.ForPort(8254).ForPath("/readyz")))
            .Build();
        await kredo.StartAsync();
        var baseUrl = $"http://{kredo.Hostname}:{kredo.GetMappedPublicPort(8254)}/api/v2";

        using var client = new HttpClient();
        var credentials = Convert.ToBase64String(Encoding.UTF8.GetBytes("sandbox-key:sandbox-secret"));
        client.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Basic", credentials);
        using var order = new StringContent("{\"phone_number\":\"254712345678\",\"amount\":\"100\"}", Encoding.UTF8, "application/json");

        using var answer = await client.PostAsync($"{baseUrl}/airtime", order);
        Assert.Equal(HttpStatusCode.OK, answer.StatusCode);
    }
}
