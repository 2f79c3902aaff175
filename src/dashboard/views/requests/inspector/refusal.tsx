import type { JSX } from "preact";
import type { RequestRow } from "../../../../gateway/account/readings/requests.ts";
import { Table } from "../../../parts/lists.tsx";
import { Notice } from "../../../parts/notices.tsx";
import { fieldProblems } from "../list/words.ts";
import { Rules } from "./timeline.tsx";

/** Why a request was not accepted. */
export function RefusalDetail({ request }: { readonly request: RequestRow }): JSX.Element {
  const { rules, hint, description, statusCode } = request;
  const problems = fieldProblems(request);
  return (
    <>
      {hint !== undefined && (
        <Notice tone="warm">
          <p dir="auto">{hint}</p>
        </Notice>
      )}
      {problems.length > 0 && (
        <Table caption="Refused fields" heads={["Field", "Value", "Why"]}>
          {problems.map(({ field, value, problem }) => (
            <tr key={field}>
              <td>
                <code>{field}</code>
              </td>
              <td dir="auto">{value === undefined ? <span class="quiet">missing</span> : <code>{value}</code>}</td>
              <td dir="auto">{problem}</td>
            </tr>
          ))}
        </Table>
      )}
      <p>
        {statusCode}: <bdi>{description}</bdi>{" "}
        {statusCode !== 200 && "Nothing was queued, no money moved, and no callback follows."}
      </p>
      <Rules rules={rules} />
      <p class="quiet">
        request_id <code>{request.requestId}</code>
      </p>
    </>
  );
}
