import type { JSX } from "preact";
import { accountClient } from "../../api/sandbox.ts";
import { attempt } from "../../notices.ts";
import { saveFile } from "../../save-file.ts";

const FORMATS = [
  { format: "html", title: "HTML", ending: "html", mediaType: "text/html" },
  { format: "json", title: "JSON", ending: "json", mediaType: "application/json" },
  { format: "junit", title: "JUnit", ending: "xml", mediaType: "application/xml" },
] as const;

/** The report on the account, to be kept. It is asked for here and not linked, because the sandbox may want its token. */
export function Reports({ consumerKey }: { readonly consumerKey: string }): JSX.Element {
  return (
    <div class="row" role="group" aria-label="Download the report">
      <span class="quiet">Report</span>
      {FORMATS.map((one) => (
        <button
          key={one.format}
          type="button"
          class="button small"
          aria-label={`Download the report as ${one.title}`}
          onClick={() => void download(consumerKey, one)}
        >
          {one.title}
        </button>
      ))}
    </div>
  );
}

async function download(consumerKey: string, { format, ending, mediaType }: (typeof FORMATS)[number]): Promise<void> {
  await attempt(async () => {
    const text = await accountClient(consumerKey).getText(`report?format=${format}`);
    saveFile(`kredo-report.${ending}`, new Blob([text], { type: mediaType }));
  });
}
