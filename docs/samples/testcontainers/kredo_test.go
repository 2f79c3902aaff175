// go get github.com/testcontainers/testcontainers-go
package shop

import (
	"net/http"
	"strings"
	"testing"

	"github.com/testcontainers/testcontainers-go"
	"github.com/testcontainers/testcontainers-go/wait"
)

func startKredo(t *testing.T) (baseURL string) {
	kredo, err := testcontainers.Run(t.Context(), "kredo:0.1.0",
		testcontainers.WithExposedPorts("8254/tcp"),
		testcontainers.WithHostPortAccess(3000),
		testcontainers.WithEnv(map[string]string{"KREDO_CALLBACK_URL": "http://host.testcontainers.internal:3000/hooks"}),
		testcontainers.WithWaitStrategy(wait.ForHTTP("/readyz").WithPort("8254/tcp")),
	)
	testcontainers.CleanupContainer(t, kredo)
	if err != nil {
		t.Fatal(err)
	}
	address, err := kredo.PortEndpoint(t.Context(), "8254/tcp", "http")
	if err != nil {
		t.Fatal(err)
	}
	return address + "/api/v2"
}

func TestSellsATopUp(t *testing.T) {
	order, err := http.NewRequest("POST", startKredo(t)+"/airtime", strings.NewReader(`{"phone_number":"254712345678","amount":"100"}`))
	if err != nil {
		t.Fatal(err)
	}
	order.SetBasicAuth("sandbox-key", "sandbox-secret")
	order.Header.Set("Content-Type", "application/json")

	answer, err := http.DefaultClient.Do(order)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		t.Errorf("the order got %d", answer.StatusCode)
	}
}
