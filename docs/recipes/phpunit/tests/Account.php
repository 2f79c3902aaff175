<?php

declare(strict_types=1);

namespace Shop\Tests;

// region sandbox
/** An account of the sandbox that `kredo exec` started: a wallet, a clock and credentials of its own. */
final class Account
{
    public string $key;
    public string $secret;

    public function __construct()
    {
        $opened = self::control('POST', 'accounts', ['balance' => '500.00', 'clock' => 'manual']);
        $this->key = $opened['consumer_key'];
        $this->secret = $opened['consumer_secret'];
        $this->call('PUT', 'callbacks', ['airtime' => 'kredo:sink']);
    }

    public function call(string $method, string $path, ?array $body = null): array
    {
        return self::control($method, "accounts/{$this->key}/{$path}", $body);
    }

    /** Moves time on; answers the callbacks that were sent meanwhile, in order. */
    public function advance(string $by): array
    {
        $fired = $this->call('POST', 'clock/advance', ['by' => $by])['fired'];
        return array_map(fn (array $sent) => json_decode($sent['body'], true), $fired);
    }

    private static function control(string $method, string $path, ?array $body): array
    {
        $call = curl_init(getenv('KREDO_URL') . "/__admin/{$path}");
        curl_setopt_array($call, [
            CURLOPT_CUSTOMREQUEST => $method,
            CURLOPT_HTTPHEADER => ['Content-Type: application/json', 'Authorization: Bearer ' . getenv('KREDO_ADMIN_TOKEN')],
            CURLOPT_RETURNTRANSFER => true,
        ]);
        if ($body !== null) {
            curl_setopt($call, CURLOPT_POSTFIELDS, json_encode($body));
        }
        return json_decode((string) curl_exec($call), true, flags: JSON_THROW_ON_ERROR);
    }
}
// endregion
