<?php

declare(strict_types=1);

use Kredo\Account;
use Kredo\KredoException;
use Kredo\Sandbox;
use PHPUnit\Framework\TestCase;

final class KredoTest extends TestCase
{
    private Account $account;

    protected function setUp(): void
    {
        $this->account = Sandbox::connect()->openAccount([
            'balance' => '500.00',
            'clock' => 'manual',
            'callbacks' => ['airtime' => 'kredo:sink', 'sms' => 'kredo:sink'],
        ]);
    }

    protected function tearDown(): void
    {
        $this->account->close();
    }

    public function testAdvancesTheClockAndReturnsTheCallbacks(): void
    {
        $requestId = $this->send('airtime', self::order());

        [$attempt] = $this->account->advance('5s');

        self::assertSame($requestId, $attempt['request_id']);
        self::assertSame($requestId, json_decode($attempt['body'], true)['request_id']);
        self::assertTrue($attempt['acknowledged']);
        self::assertEquals([$attempt], $this->account->received());
    }

    public function testAdvancesToWhatIsDueNext(): void
    {
        $this->send('airtime', self::order());

        self::assertNotEquals($this->account->advance('next'), $this->account->advance('next'));
    }

    public function testReadsAndChangesTheWallet(): void
    {
        $this->send('airtime', self::order());

        self::assertSame(['available' => 405, 'held' => 95, 'ledger' => 500], $this->account->wallet());
        self::assertSame(504.5, $this->account->topUp('99.50')['available']);
        self::assertSame(10, $this->account->setBalance('10')['available']);
        self::assertSame(['opening', 'hold', 'top_up', 'adjustment'], array_column($this->account->ledger(), 'kind'));
    }

    public function testFindsTransactionsAndRequests(): void
    {
        $requestId = $this->send('airtime', self::order());
        $this->send('airtime', self::order('254722345678'));
        $this->send('airtime', ['phone_number' => '254733345678', 'amount' => '1']);
        $this->account->setBalance('0');
        $this->send('airtime', self::order('254733345678'));

        self::assertSame([402, 422], array_column($this->account->requests(['phone_number' => '254733345678']), 'status_code'));
        self::assertSame([$requestId], array_column($this->account->transactions(['phone_number' => '2547123*']), 'request_id'));
        self::assertSame([$requestId], array_column($this->account->requests(['phone_number' => '254712345678']), 'request_id'));
        self::assertSame('queued', $this->account->transaction($requestId)['state']);
        self::assertSame(4, $this->account->countRequests(['operation' => 'airtime']));
    }

    public function testReadsMessages(): void
    {
        $this->send('sms', ['phone_number' => '254712345678', 'message' => 'Karibu', 'sender_id' => 'SANDBOX']);
        $this->account->advance('1m');

        self::assertSame(['Karibu'], array_column($this->account->messages('254712345678'), 'message'));
        self::assertSame([], $this->account->messages('254722345678'));
    }

    /**
     * @dataProvider scenarios
     * @param string|array<string, mixed> $scenario
     */
    public function testStartsAndStopsScenarios(string|array $scenario): void
    {
        $this->account->scenario($scenario);
        $this->send('airtime', self::order());
        self::assertCount(3, $this->account->advance('1h'));

        $this->account->endScenarios();
        $this->send('airtime', self::order());
        self::assertCount(1, $this->account->advance('1h'));
    }

    /** @return array<string, array{string|array<string, mixed>}> */
    public static function scenarios(): array
    {
        return [
            'by name' => ['duplicate-callbacks'],
            'as YAML' => ["version: 1\nname: thrice\nrules:\n  - name: thrice\n    then: { callback: { times: 3 } }\n"],
            'as an array' => [['version' => 1, 'name' => 'thrice', 'rules' => [['name' => 'thrice', 'then' => ['callback' => ['times' => 3]]]]]],
        ];
    }

    public function testReportsFindings(): void
    {
        $this->account->setCallbacks(['airtime' => 'http://127.0.0.1:9/hooks']);
        $this->send('airtime', self::order());
        $this->account->advance('1m');

        self::assertSame(['callback-unreachable'], array_column($this->account->findings('risk'), 'id'));
        self::assertSame([], $this->account->findings('defect'));
        self::assertNotEmpty($this->account->report()['trials']);
        self::assertStringContainsString('<testsuites', $this->account->report('junit'));
    }

    public function testResetsAnAccountAndFindsItByItsKey(): void
    {
        $this->send('airtime', self::order());

        $this->account->reset();
        $this->account->drain('1s');

        self::assertSame($this->account->secret, Sandbox::connect()->account($this->account->key)->secret);
        self::assertSame(500, $this->account->wallet()['available']);
    }

    public function testDeletesAnAccount(): void
    {
        $other = Sandbox::connect()->openAccount();
        $other->close();

        $this->expectException(KredoException::class);
        $this->expectExceptionCode(404);
        Sandbox::connect()->account($other->key);
    }

    public function testSaysWhatIsWrongAndHowToFixIt(): void
    {
        $this->expectException(KredoException::class);
        $this->expectExceptionMessageMatches('/^422: .*\bby\b.*; write/');

        $this->account->advance('soon');
    }

    /** @return array<string, string> */
    private static function order(string $phoneNumber = '254712345678'): array
    {
        return ['phone_number' => $phoneNumber, 'amount' => '100'];
    }

    public function testVerifiesRequestsAndNamesTheNearest(): void
    {
        $nearest = $this->send('airtime', ['phone_number' => '254712345678', 'amount' => '50']);

        $this->account->verify(['amount' => '50']);
        $this->expectException(KredoException::class);
        $this->expectExceptionMessage("the nearest request, {$nearest}, has amount \"50.00\", not \"100.00\"");
        $this->account->verify(['amount' => '100']);
    }

    /**
     * @dataProvider criteria
     * @param array<string, string|int|float> $match
     */
    public function testVerifiesByEveryValueThatListsRequests(array $match): void
    {
        $this->send('airtime', self::order());
        $this->send('airtime', ['phone_number' => '254733345678', 'amount' => '50']);

        $listed = count($this->account->requests($match));
        $this->account->verify($match, $listed);

        self::assertSame($listed, $this->account->countRequests($match));
    }

    /** @return list<array{array<string, string|int|float>}> */
    public static function criteria(): array
    {
        return [
            [['operation' => 'airtime']],
            [['phone_number' => '254712*']],
            [['phone_number' => 254712345678]],
            [['amount' => '100.00']],
            [['amount' => 100]],
            [['amount' => 99.5]],
            [['status_code' => '200']],
            [['status_code' => 200]],
            [['sender_id' => 20880]],
            [['message' => 2025]],
        ];
    }

    public function testVerifiesANumberWithinBounds(): void
    {
        $this->send('airtime', self::order());
        $this->send('airtime', self::order());

        $this->account->verify(['operation' => 'airtime'], ['gte' => 2]);
        $this->expectExceptionMessageMatches('/^406: 2 requests match/');
        $this->account->verify([], ['gt' => 0, 'lt' => 2]);
    }

    public function testReadsEveryListToItsEndOrItsLimit(): void
    {
        $this->account->scenario("version: 1\nname: tenfold\nrules:\n  - name: tenfold\n    then: { callback: { times: 10 } }\n");
        foreach (range(1, 101) as $order) {
            $this->send('sms', ['phone_number' => '254712345678', 'message' => (string) $order, 'sender_id' => 'SANDBOX']);
        }
        $this->account->advance('1h');

        $transactions = $this->account->transactions();
        $requests = $this->account->requests(['operation' => 'sms']);
        $messages = $this->account->messages();
        $sent = $this->account->sent();
        $received = $this->account->received();
        $ledger = $this->account->ledger();

        foreach ([$transactions, $requests, $messages] as $list) {
            self::assertSame(101, count(array_unique(array_column($list, 'request_id'))));
        }
        foreach ([$sent, $received] as $list) {
            self::assertSame(1010, count(array_unique($list, SORT_REGULAR)));
        }
        self::assertSame($this->account->wallet()['ledger'], end($ledger)['balance']);
        self::assertEquals(array_slice($transactions, 0, 3), $this->account->transactions(['limit' => 3]));
        self::assertEquals(array_slice($requests, 0, 3), $this->account->requests(['operation' => 'sms', 'limit' => 3]));
        self::assertEquals(array_slice($messages, 0, 3), $this->account->messages('254712*', 3));
        self::assertEquals(array_slice($sent, 0, 1001), $this->account->sent(1001));
        self::assertEquals(array_slice($received, 0, 3), $this->account->received(3));
        self::assertEquals(array_slice($ledger, 0, 3), $this->account->ledger(3));
    }

    public function testSaysWhichAddressDidNotAnswer(): void
    {
        $this->expectExceptionMessageMatches('~^no sandbox answers at http://127\.0\.0\.1:1 .*kredo serve~');
        Sandbox::connect('http://127.0.0.1:1')->openAccount();
    }

    /** @param array<string, string> $order */
    private function send(string $path, array $order): ?string
    {
        $call = curl_init("{$this->account->baseUrl}/{$path}");
        curl_setopt_array($call, [
            CURLOPT_POSTFIELDS => json_encode($order),
            CURLOPT_HTTPHEADER => ['Content-Type: application/json'],
            CURLOPT_USERPWD => "{$this->account->key}:{$this->account->secret}",
            CURLOPT_RETURNTRANSFER => true,
        ]);
        return json_decode((string) curl_exec($call), true)['request_id'] ?? null;
    }
}
