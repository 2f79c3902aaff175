const { useAccount } = require("kredo/jest");

const kredo = useAccount({ balance: "500.00" });

test("an account starts with its balance", async () => {
  expect(await kredo.account.wallet.read()).toMatchObject({ available: 500 });
});
