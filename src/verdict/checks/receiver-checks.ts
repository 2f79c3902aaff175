import type { Check } from "./finding.ts";

export const RECEIVER_CHECKS = [
  {
    id: "callback-answered-late",
    severity: "defect",
    title: "A callback was not answered within the limit",
    why: "The gateway accepts an answer only within 3 seconds. A receiver that works before it answers loses results when it is slow, and does the work twice when a callback is sent again.",
    repair:
      "Store the callback and answer 200 at once. Credit, notify and call other services afterwards, from a queue (Node: BullMQ; PHP: a Laravel job; Python: Celery; Java: @Async or an ExecutorService). In PHP, check that a session lock does not make requests wait for one another.",
    assumes:
      "Only the receiver caused the delay: a breakpoint, a busy machine or a firewall that drops packets looks the same. An account with a shorter limit is held to its own.",
  },
  {
    id: "callback-not-acknowledged",
    severity: "defect",
    title: "A callback was answered with a code other than 200",
    why: "Only HTTP 200 acknowledges a callback, not even 201 or 204. Whether the gateway sends it again is not documented, so the result may be lost.",
    repair:
      "Store the callback, then answer 200 with any body. For 403 or 419 exempt the route from CSRF protection (PHP: Laravel's validateCsrfTokens(except: [...]); Python: Django's @csrf_exempt; Java: Spring Security's csrf().ignoringRequestMatchers(...)); for 400 or 415 let it parse JSON (Node: express.json(); Java: @RequestBody); for 404 or 405 compare the registered URL with your routes for POST.",
    assumes:
      "The registered URL is the one meant for callbacks. Callbacks that nobody can read, with an unknown request_id or with headers that somebody edited are not counted, nor is 4xx to a result that contradicts an earlier one, or 409 to a repeat.",
  },
  {
    id: "callback-rate-limited",
    severity: "risk",
    title: "A callback was refused by a rate limit",
    why: "Only HTTP 200 acknowledges a callback. Whether the gateway sends it again is not documented, so a limit that refuses one on a busy day may lose its result.",
    repair:
      "Exempt the callback route from rate limits, or raise the limit above what your busiest minute brings (Node: express-rate-limit's skip; PHP: Laravel's withoutMiddleware('throttle'); Python: Django REST framework's throttle_classes = []; Java: leave the path out of the Bucket4j filter).",
    assumes: "A 429 comes from a rate limit, and the traffic that met it was that of a test.",
  },
  {
    id: "callback-redirected",
    severity: "defect",
    title: "A callback was answered with a redirect",
    why: "Only HTTP 200 acknowledges a callback. A client that follows a redirect commonly repeats a POST as GET without its body, so the result would be lost even then.",
    repair:
      "Register the URL that answers itself: with https:// and the host name that the server insists on, and with the trailing slash if Django's APPEND_SLASH adds one. Exempt the route from logins (Node: put it before the authentication middleware; PHP: outside Laravel's auth group; Python: without @login_required; Java: permitAll() in Spring Security).",
    assumes: "The gateway does not follow redirects; its document does not mention them.",
  },
  {
    id: "callback-unreachable",
    severity: "risk",
    title: "A callback did not reach its receiver",
    why: "A result whose callback cannot be delivered may never come again: retries are not documented. The money is spent by then, and your application does not know it.",
    repair:
      "Start the receiver and check host name, port and certificate of the registered URL from where the sandbox runs; in a container, localhost is the container itself. For times when the receiver is down, run a job that looks for orders without a result and compares them with the balance of account-details.",
    assumes:
      "The receiver was meant to be up. A restart, or an idle connection closed at that very moment, looks the same.",
  },
  {
    id: "callback-answered-differently",
    severity: "risk",
    title: "The same callback was answered in two ways",
    why: "A repeated callback that is not answered 200 like the first looks undelivered and may be sent forever.",
    repair:
      "Look up the request_id first, inside the transaction that stores the result: if it is settled, change nothing and answer 200. Use a unique key on request_id for two callbacks that arrive at once (INSERT ... ON CONFLICT DO NOTHING; Node: Prisma's upsert; PHP: Laravel's insertOrIgnore; Python: Django's get_or_create; Java: catch DuplicateKeyException), and answer 200 there too.",
    assumes:
      "Only deliveries of the same bytes to the same URL are compared. Answers of 429, 502, 503 and 504 are not compared, because they come from in front of the application, nor are callbacks that were resent by hand after they had failed.",
  },
  {
    id: "slow-receiver",
    severity: "hint",
    title: "The receiver is slow to acknowledge",
    why: "The gateway waits 3 seconds for an answer. A receiver that takes more than one second here, with no network in between, has little time left for a busy day and a long distance.",
    repair:
      "Answer 200 as soon as the callback is stored, and do the rest from a queue. Look for calls to other services, e-mails and table scans on the way (add an index on request_id).",
    assumes: "The machine was not busy with something else. Only acknowledgments count, in blocks of 20 of one URL.",
  },
  {
    id: "fails-on-early-callback",
    severity: "defect",
    title: "The receiver fails on a callback that comes before the acknowledgment",
    why: "Acknowledgment and callback use two connections, and on a slow network the callback can arrive first. A receiver that knows the request_id only from the acknowledgment then loses the result, and the order stays open forever.",
    repair:
      "Store a callback whose request_id is not known yet, answer 200, and match it when the acknowledgment arrives. Store the order before sending it, and do not hold a lock or the only worker while waiting for the acknowledgment (PHP's built-in server and Django's runserver --nothreading answer one request at a time).",
    assumes: "The URL is the receiver's: it must have acknowledged another callback, before or afterwards.",
  },
  {
    id: "fails-on-unknown-request-id",
    severity: "risk",
    title: "The receiver fails on a request_id it does not know",
    why: "Callbacks are unsigned, and an acknowledgment can be lost after the order was accepted, so your receiver will get request_ids that your database lacks. If it fails on one, it may get it again and again, and its error log fills with errors that are none.",
    repair:
      "If no order has the request_id, store the callback for later, log it and answer 200. Look up the row with a call that returns nothing instead of throwing (Node: Prisma's findUnique; PHP: Laravel's first() rather than firstOrFail(); Python: Django's filter().first() rather than get(); Java: findById(id) without orElseThrow()).",
    assumes:
      "The receiver acknowledges ordinary callbacks: while its URL does not, nothing is reported. An answer of 4xx is fine.",
  },
  {
    id: "fails-on-malformed",
    severity: "hint",
    title: "The receiver fails on a body it cannot read",
    why: "The URL is open to the internet, where anybody can send anything. A body that causes an exception or a hanging request costs a worker each time and hides real failures in the log.",
    repair:
      "Check content type and body before using them, and answer 400 or 415 (Node: Express error middleware behind express.json(); PHP: Laravel's $request->validate(); Python: catch json.JSONDecodeError; Java: catch HttpMessageNotReadableException in a @ControllerAdvice).",
    assumes: "The receiver acknowledges ordinary callbacks: while its URL does not, nothing is reported.",
  },
] as const satisfies readonly Check[];

export type ReceiverCheck = (typeof RECEIVER_CHECKS)[number]["id"];
