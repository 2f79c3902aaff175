<?php

declare(strict_types=1);

namespace Kredo;

/**
 * A client of the Kredo sandbox's control API. Needs only PHP 8.1 or newer with curl. Copy this file into your tests.
 *
 *     $sandbox = Sandbox::connect();                  // reads KREDO_URL and KREDO_ADMIN_TOKEN, as `kredo exec` sets them
 *     $account = $sandbox->openAccount(['balance' => '500.00', 'clock' => 'manual', 'callbacks' => ['airtime' => 'kredo:sink']]);
 *     ...                                             // your code calls $account->baseUrl with $account->key and $account->secret
 *     foreach ($account->advance('5s') as $attempt) {
 *         echo $attempt['body'];
 *     }
 */
final class Sandbox
{
    private function __construct(public readonly string $url, private readonly ?string $adminToken)
    {
    }

    /** Connects to a running sandbox. The defaults are KREDO_URL (or http://127.0.0.1:8254) and KREDO_ADMIN_TOKEN. */
    public static function connect(?string $url = null, ?string $adminToken = null): self
    {
        $url ??= getenv('KREDO_URL') ?: 'http://127.0.0.1:8254';
        return new self(rtrim($url, '/'), $adminToken ?? (getenv('KREDO_ADMIN_TOKEN') ?: null));
    }

    /**
     * Opens an account with its own wallet, clock and credentials. The options are the keys of `accounts` in the config file.
     *
     * @param array<string, mixed> $options
     */
    public function openAccount(array $options = []): Account
    {
        $opened = $this->send('POST', 'accounts', (object) $options, expected: 'consumer_key');
        return new Account($this, $opened['consumer_key'], $opened['consumer_secret']);
    }

    /** Finds an existing account; "default" is the first one. */
    public function account(string $key = 'default'): Account
    {
        $found = $this->send('GET', 'accounts/' . rawurlencode($key), expected: 'consumer_key');
        return new Account($this, $found['consumer_key'], $found['consumer_secret']);
    }

    /**
     * Makes any call of the control API. The path is relative to /__admin/. Returns the parsed JSON, or text if the response is not JSON.
     *
     * @param array<mixed>|object|string|null $body a string is sent unchanged
     * @throws KredoException when the control API refuses
     */
    public function call(string $method, string $path, array|object|string|null $body = null, string $contentType = 'application/json'): mixed
    {
        return $this->send($method, $path, $body, $contentType);
    }

    private function send(string $method, string $path, array|object|string|null $body = null, string $contentType = 'application/json', ?string $expected = null): mixed
    {
        $headers = ["Content-Type: {$contentType}"];
        if ($this->adminToken !== null) {
            $headers[] = "Authorization: Bearer {$this->adminToken}";
        }
        $call = curl_init("{$this->url}/__admin/{$path}");
        curl_setopt_array($call, [CURLOPT_CUSTOMREQUEST => $method, CURLOPT_HTTPHEADER => $headers, CURLOPT_RETURNTRANSFER => true]);
        if ($body !== null) {
            curl_setopt($call, CURLOPT_POSTFIELDS, is_string($body) ? $body : json_encode($body, JSON_THROW_ON_ERROR));
        }
        // A proxy does not reach this machine's own addresses.
        if (preg_match('/^(localhost|127\..*|\[::1\])$/i', (string) parse_url($this->url, PHP_URL_HOST))) {
            curl_setopt($call, CURLOPT_PROXY, '');
        }
        $text = curl_exec($call);
        if (!is_string($text)) {
            throw new \RuntimeException("no sandbox answers at {$this->url} (" . curl_error($call) . '); start one with kredo serve, or correct KREDO_URL');
        }
        $answer = json_decode($text, true) ?? $text;
        $status = curl_getinfo($call, CURLINFO_RESPONSE_CODE);
        if ($status >= 400 && isset($answer['problem'])) {
            throw new KredoException($status, $answer);
        }
        if ($status >= 400 || ($expected !== null && !isset($answer[$expected]))) {
            throw new \RuntimeException("{$this->url} answered {$status} but is not a Kredo sandbox; correct KREDO_URL");
        }
        return $answer;
    }
}

/**
 * One account: the settings for your code, and everything that the control API knows about it. Every list is whole, unless you pass
 * a limit: then it has only its first rows. Amounts are in KES. Responses can have more keys than those listed here;
 * schema/openapi.json describes them all.
 *
 * @phpstan-type Wallet array{available: float|int, held: float|int, ledger: float|int}
 * @phpstan-type LedgerEntry array{number: int, at: string, kind: 'opening'|'brought_forward'|'top_up'|'hold'|'charge'|'release'|'refund'|'adjustment'|'fee', amount: float|int, balance: float|int, available: float|int}
 * @phpstan-type Attempt array{request_id: string, attempt: int, at: string, url: string, body: ?string, answered: ?int, acknowledged: bool, explanation: string}
 * @phpstan-type Transaction array{request_id: string, operation: 'airtime'|'sms', state: 'queued'|'succeeded'|'failed'|'reversed'|'stuck', phone_number: string, carrier: 'safaricom'|'airtel'|'telkom', hold: float|int, charge: float|int|null, result_code: ?int, result_desc: ?string, account_balance: float|int|null}
 * @phpstan-type Request array{request_id: string, operation: 'airtime'|'sms'|'account-details'|'unknown', at: string, status_code: int, description: string}
 * @phpstan-type Message array{request_id: string, phone_number: string, sender_id: string, message: string, parts: int, delivered_at: string}
 * @phpstan-type Finding array{id: string, severity: 'defect'|'risk'|'cost'|'hint', title: string, seen: string, why: string, repair: string, count: int}
 */
final class Account
{
    /** A longer page waits in the sandbox until those of other callers are ready. */
    private const ROWS_OF_A_PAGE = 1_000;

    public readonly string $baseUrl;

    public function __construct(public readonly Sandbox $sandbox, public readonly string $key, public readonly string $secret)
    {
        $this->baseUrl = "{$sandbox->url}/api/v2";
    }

    /**
     * Makes any call of the control API for this account. The path is relative to /__admin/accounts/KEY/.
     *
     * @param array<mixed>|object|string|null $body
     */
    public function call(string $method, string $path, array|object|string|null $body = null, string $contentType = 'application/json'): mixed
    {
        return $this->sandbox->call($method, 'accounts/' . rawurlencode($this->key) . "/{$path}", $body, $contentType);
    }

    /**
     * Advances a manual clock by a duration such as "10m", or to the "next" thing due. Returns the first 1,000 callback
     * attempts, in order; sent() lists all.
     *
     * @return list<Attempt>
     */
    public function advance(string $by): array
    {
        return $this->call('POST', 'clock/advance', $by === 'next' ? ['to' => 'next'] : ['by' => $by])['fired'];
    }

    /** Waits until no callback is being sent. */
    public function drain(string $within = '30s'): void
    {
        $this->call('POST', 'drain', ['within' => $within]);
    }

    /** @return Wallet */
    public function wallet(): array
    {
        return $this->call('GET', 'wallet');
    }

    /**
     * Adds money.
     *
     * @return Wallet
     */
    public function topUp(string $amount): array
    {
        return $this->call('POST', 'wallet/top-ups', ['amount' => $amount]);
    }

    /**
     * Sets the available balance. Holds stay as they are.
     *
     * @return Wallet
     */
    public function setBalance(string $balance): array
    {
        return $this->call('PUT', 'wallet', ['balance' => $balance]);
    }

    /** @return list<LedgerEntry> oldest first */
    public function ledger(?int $limit = null): array
    {
        return $this->items('ledger', ['limit' => $limit]);
    }

    /**
     * Sets the callback URLs, such as ['airtime' => 'http://localhost:3000/hooks']. "kredo:sink" stores callbacks for received().
     *
     * @param array<string, mixed> $change
     */
    public function setCallbacks(array $change): void
    {
        $this->call('PUT', 'callbacks', (object) $change);
    }

    /** @return list<Attempt> the callback attempts, newest first */
    public function sent(?int $limit = null): array
    {
        return $this->items('callbacks/sent', ['limit' => $limit]);
    }

    /** @return list<Attempt> the callbacks that kredo:sink received, newest first */
    public function received(?int $limit = null): array
    {
        return $this->items('callbacks/received', ['limit' => $limit]);
    }

    /**
     * Starts a scenario: the name of a shipped one, YAML text, or the content of a scenario file as a mapping.
     *
     * @param string|array<string, mixed> $scenario
     */
    public function scenario(string|array $scenario): void
    {
        match (true) {
            is_array($scenario) => $this->call('POST', 'scenarios', $scenario),
            str_contains($scenario, "\n") => $this->call('POST', 'scenarios', $scenario, 'application/yaml'),
            default => $this->call('POST', 'scenarios', ['name' => $scenario]),
        };
    }

    public function endScenarios(): void
    {
        $this->call('DELETE', 'scenarios');
    }

    /**
     * @param array<string, string|int> $match by operation, phone_number, state or since; `limit` can be another key
     * @return list<Transaction> newest first
     */
    public function transactions(array $match = []): array
    {
        return $this->items('transactions', $match);
    }

    /** @return Transaction */
    public function transaction(string $requestId): array
    {
        return $this->call('GET', 'transactions/' . rawurlencode($requestId));
    }

    /**
     * @param array<string, string|int|float> $match by operation, phone_number, amount, sender_id, message or status_code; `limit` can be another key
     * @return list<Request> newest first
     */
    public function requests(array $match = []): array
    {
        return $this->items('requests', $match);
    }

    /**
     * Waits (wall time) until `$count` requests match. The exception names the nearest request and its first difference.
     *
     * @param array<string, string|int|float> $match as for requests()
     * @param int|array<string, int> $count a number, or bounds such as ['gte' => 1]
     */
    public function verify(array $match = [], int|array $count = 1, string $within = '0'): void
    {
        $this->call('POST', 'requests/verify', ['match' => (object) $match, 'count' => $count, 'within' => $within]);
    }

    /** @param array<string, string|int|float> $match as for requests() */
    public function countRequests(array $match = []): int
    {
        return $this->call('GET', 'requests/count?' . http_build_query($match))['count'];
    }

    /** @return list<Message> delivered SMS, newest first */
    public function messages(?string $phoneNumber = null, ?int $limit = null): array
    {
        return $this->items('messages', ['phone_number' => $phoneNumber, 'limit' => $limit]);
    }

    /** @return list<Finding> defects first */
    public function findings(?string $severity = null, ?int $limit = null): array
    {
        return $this->items('findings', ['severity' => $severity, 'limit' => $limit]);
    }

    /**
     * @param 'json'|'junit'|'html' $format
     * @return array<string, mixed>|string parsed JSON, or the text of a JUnit XML file or an HTML page
     */
    public function report(string $format = 'json'): array|string
    {
        return $this->call('GET', "report?format={$format}");
    }

    /** Restores the account to how it was opened: wallet, journal, counters and clock. */
    public function reset(): void
    {
        $this->call('POST', 'reset', (object) []);
    }

    /** Deletes the account. Does nothing if it is gone. */
    public function close(): void
    {
        try {
            $this->sandbox->call('DELETE', 'accounts/' . rawurlencode($this->key));
        } catch (KredoException $refusal) {
            if ($refusal->status !== 404) {
                throw $refusal;
            }
        }
    }

    /**
     * Reads a list to its end or its limit, page by page.
     *
     * @param array<string, string|int|float|null> $query null is not sent
     * @return list<mixed>
     */
    private function items(string $path, array $query): array
    {
        $limit = (int) ($query['limit'] ?? PHP_INT_MAX);
        $items = [];
        do {
            $query['limit'] = min($limit - count($items), self::ROWS_OF_A_PAGE);
            $page = $this->call('GET', $path . '?' . http_build_query($query));
            array_push($items, ...$page['items']);
            $query['cursor'] = $page['next'];
        } while ($page['next'] !== null && count($items) < $limit);
        return $items;
    }
}

/** The control API refused a call. Has the HTTP status and the whole response. */
final class KredoException extends \RuntimeException
{
    public function __construct(public readonly int $status, public readonly mixed $answer)
    {
        $problem = $answer['problem'] ?? json_encode($answer);
        parent::__construct("{$status}: {$problem}" . (isset($answer['repair']) ? "; {$answer['repair']}" : ''), $status);
    }
}
