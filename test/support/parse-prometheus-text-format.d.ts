declare module "parse-prometheus-text-format" {
  /** Reads Prometheus's text format; numbers stay text. */
  export default function parse(text: string): readonly Family[];

  interface Family {
    readonly name: string;
    readonly help: string;
    readonly type: string;
    readonly metrics: readonly Sample[];
  }

  interface Sample {
    readonly value?: string;
    readonly labels?: Readonly<Record<string, string>>;
    /** Of a histogram: counts by upper bound. */
    readonly buckets?: Readonly<Record<string, string>>;
    readonly count?: string;
    readonly sum?: string;
  }
}
