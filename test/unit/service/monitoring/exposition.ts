/** A strict reader of Prometheus's text format 0.0.4, written from its description and from nothing of the service. */

interface ReadSample {
  readonly name: string
  readonly labels: ReadonlyMap<string, string>
  readonly value: number
}

export interface ReadMetric {
  readonly help: string
  readonly type: string
  readonly samples: readonly ReadSample[]
}

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/
const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? ([^ ]+)$/
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\[\\"n])*)"(?:,|$)/y

const readLabels = (text: string): ReadonlyMap<string, string> => {
  const labels = new Map<string, string>()
  LABEL.lastIndex = 0
  while (LABEL.lastIndex < text.length) {
    const [, name = '', value = ''] = LABEL.exec(text) ?? []
    if (name === '' || labels.has(name)) throw new Error(`labels ${text}`)
    labels.set(
      name,
      value.replaceAll(/\\([\\"n])/g, (_, escaped: string) => (escaped === 'n' ? '\n' : escaped))
    )
  }
  return labels
}

const readNumber = (text: string): number => {
  const value = text === '+Inf' ? Infinity : Number(text)
  if (text.trim() === '' || Number.isNaN(value)) throw new Error(`value ${text}`)
  return value
}

/** Throws unless the buckets of each series grow, end with `+Inf`, and equal the count there. */
const checkHistogram = (name: string, samples: readonly ReadSample[]): void => {
  const series = new Map<string, { last: number; limit: number }>()
  const seriesOf = (labels: ReadonlyMap<string, string>): string =>
    JSON.stringify([...labels].filter(([label]) => label !== 'le').sort())
  for (const sample of samples) {
    const key = seriesOf(sample.labels)
    const { last, limit } = series.get(key) ?? { last: 0, limit: -Infinity }
    if (sample.name === `${name}_bucket`) {
      const le = readNumber(sample.labels.get('le') ?? '')
      if (le <= limit || sample.value < last) throw new Error(`${name}: buckets do not grow`)
      series.set(key, { last: sample.value, limit: le })
    } else if (sample.name === `${name}_count`) {
      if (limit !== Infinity || last !== sample.value) throw new Error(`${name}: ${sample.value} in ${last}`)
    } else if (sample.name !== `${name}_sum`) throw new Error(`${name}: ${sample.name}`)
  }
}

/** Returns the metrics of a text by their names. Throws for anything that the format does not allow. */
export const readExposition = (text: string): ReadonlyMap<string, ReadMetric> => {
  if (!text.endsWith('\n')) throw new Error('the last line has no end')
  const metrics = new Map<string, ReadMetric & { samples: ReadSample[] }>()
  const seen = new Set<string>()
  let help: readonly [string, string] | null = null
  let current = ''
  for (const line of text.split('\n')) {
    if (line === '') continue
    const [, keyword, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? []
    if (keyword === 'HELP') help = [name, rest]
    else if (keyword === 'TYPE') {
      if (!NAME.test(name) || metrics.has(name) || help?.[0] !== name) throw new Error(line)
      if (!['counter', 'gauge', 'histogram', 'summary', 'untyped'].includes(rest)) throw new Error(line)
      metrics.set(name, { help: help[1], type: rest, samples: [] })
      current = name
    } else {
      const [, sample = '', labels = '', value = ''] = SAMPLE.exec(line) ?? []
      const metric = metrics.get(current)
      if (metric === undefined || !sample.startsWith(current)) throw new Error(line)
      if (metric.type !== 'histogram' && sample !== current) throw new Error(line)
      if (seen.has(sample + labels)) throw new Error(`twice: ${line}`)
      seen.add(sample + labels)
      metric.samples.push({ name: sample, labels: readLabels(labels), value: readNumber(value) })
    }
  }
  for (const [name, { type, samples }] of metrics) if (type === 'histogram') checkHistogram(name, samples)
  return metrics
}
