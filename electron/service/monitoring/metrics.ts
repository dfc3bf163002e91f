/**
 * Metrics in Prometheus's text format, version 0.0.4
 * (https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format). Every value is what one process saw.
 */

/** Content type of `renderMetrics`. */
export const METRICS_CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/** Label names and values. A value never contains what identifies a person, a till or a code. */
type Labels = Readonly<Record<string, string>>

/** One line: what is added to the metric's name, its labels and its value. */
interface Sample {
  readonly suffix?: '' | '_bucket' | '_sum' | '_count'
  readonly labels?: Labels
  readonly value: number
}

/** A metric, and its samples at this moment. */
export interface Metric {
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  samples(): readonly Sample[]
}

const escapeHelp = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
const escapeLabel = (text: string): string => escapeHelp(text).replaceAll('"', '\\"')

const sampleLine = (name: string, { suffix = '', labels = {}, value }: Sample): string => {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escapeLabel(text)}"`)
  return `${name}${suffix}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${String(value)}`
}

/** Returns the text that a Prometheus server reads. */
export const renderMetrics = (metrics: readonly Metric[]): string =>
  metrics
    .flatMap((metric) => [
      `# HELP ${metric.name} ${escapeHelp(metric.help)}`,
      `# TYPE ${metric.name} ${metric.type}`,
      ...metric.samples().map((sample) => sampleLine(metric.name, sample)),
      ''
    ])
    .join('\n')

/** A number that is read when the metrics are; without a sample while it is not known. */
export const gauge = (name: string, help: string, read: () => number | null): Metric => ({
  name,
  help,
  type: 'gauge',
  samples: () => {
    const value = read()
    return value === null ? [] : [{ value }]
  }
})

/** The same values in the same order: the key of their sum. */
const keyOf = (labels: Labels): string => JSON.stringify(Object.values(labels))

/** A sum that only grows. */
export class Counter implements Metric {
  readonly type = 'counter'
  readonly name: string
  readonly help: string
  readonly #sums = new Map<string, { readonly labels: Labels; value: number }>()

  /** @param isLabelled whether it has no sample before its first `add`; otherwise it begins at 0 */
  constructor(name: string, help: string, isLabelled = false) {
    this.name = name
    this.help = help
    if (!isLabelled) this.#sums.set(keyOf({}), { labels: {}, value: 0 })
  }

  add(labels: Labels = {}): void {
    const sum = this.#sums.get(keyOf(labels))
    if (sum === undefined) this.#sums.set(keyOf(labels), { labels, value: 1 })
    else sum.value += 1
  }

  samples(): readonly Sample[] {
    return [...this.#sums.values()]
  }
}

/** Upper limits in seconds: from a cached answer to the time after which a till gives up. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10] as const

/** How long something took. */
export class DurationHistogram implements Metric {
  readonly type = 'histogram'
  readonly name: string
  readonly help: string
  readonly #series = new Map<string, { readonly labels: Labels; readonly counts: number[]; sum: number }>()

  constructor(name: string, help: string) {
    this.name = name
    this.help = help
  }

  observe(labels: Labels, seconds: number): void {
    let series = this.#series.get(keyOf(labels))
    if (series === undefined) {
      series = { labels, counts: new Array<number>(BUCKETS.length + 1).fill(0), sum: 0 }
      this.#series.set(keyOf(labels), series)
    }
    const bucket = BUCKETS.findIndex((limit) => seconds <= limit)
    const index = bucket < 0 ? BUCKETS.length : bucket
    series.counts[index] = (series.counts[index] ?? 0) + 1
    series.sum += seconds
  }

  samples(): readonly Sample[] {
    return [...this.#series.values()].flatMap(({ labels, counts, sum }) => {
      let total = 0
      const buckets = counts.map((count, index): Sample => {
        total += count
        const le = BUCKETS[index] === undefined ? '+Inf' : String(BUCKETS[index])
        return { suffix: '_bucket', labels: { ...labels, le }, value: total }
      })
      return [...buckets, { suffix: '_sum', labels, value: sum }, { suffix: '_count', labels, value: total }]
    })
  }
}
