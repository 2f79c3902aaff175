<?php

declare(strict_types=1);

namespace Shop;

/** Sells airtime, and tells a refused order from one with an unknown outcome: only a refused order may be sent again. */
final class TopUps
{
    /** @var array<string, array{paid: bool, charge: float}> */
    private array $reports = [];

    public function __construct(private string $baseUrl, private string $key, private string $secret)
    {
    }

    /** @return array{outcome: string, request_id?: string, description?: string} */
    public function sell(string $phoneNumber, string $amount): array
    {
        $call = curl_init("{$this->baseUrl}/airtime");
        curl_setopt_array($call, [
            CURLOPT_POSTFIELDS => json_encode(['phone_number' => $phoneNumber, 'amount' => $amount]),
            CURLOPT_HTTPHEADER => ['Content-Type: application/json'],
            CURLOPT_USERPWD => "{$this->key}:{$this->secret}",
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_TIMEOUT => 30,
        ]);
        $answer = json_decode((string) curl_exec($call), true);
        $status = curl_getinfo($call, CURLINFO_RESPONSE_CODE);
        if (!is_array($answer)) {
            return ['outcome' => 'unknown'];
        }
        return $status === 200
            ? ['outcome' => 'accepted', 'request_id' => $answer['request_id']]
            : ['outcome' => 'refused', 'description' => $answer['description']];
    }

    /** Handles a callback. A repeated callback changes nothing. */
    public function report(array $callback): void
    {
        $this->reports[$callback['request_id']] ??= [
            'paid' => $callback['result_code'] === 200,
            'charge' => (float) $callback['charge'],
        ];
    }

    /** @return array{paid: bool, charge: float}|null */
    public function reportOf(string $requestId): ?array
    {
        return $this->reports[$requestId] ?? null;
    }

    public function spent(): float
    {
        return array_sum(array_column($this->reports, 'charge'));
    }
}
