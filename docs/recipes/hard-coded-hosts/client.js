const authorization = `Basic ${Buffer.from(`${process.env.KREDO_CONSUMER_KEY}:${process.env.KREDO_CONSUMER_SECRET}`).toString("base64")}`;
const response = await fetch("https://api.gateway.example/api/v2/account-details", { headers: { authorization } });
console.log(response.status);
