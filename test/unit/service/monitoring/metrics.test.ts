import { expect, it } from 'vitest'
import {
  Counter,
  DurationHistogram,
  gauge,
  renderMetrics
} from '../../../../electron/service/monitoring/metrics.ts'
import { readExposition } from './exposition.ts'

it('writes what the text format asks for', () => {
  const requests = new Counter('requests_total', 'Requests.', true)
  requests.add({ route: '/q/:code', status: '2xx' })
  requests.add({ route: '/q/:code', status: '2xx' })
  const errors = new Counter('errors_total', 'Errors.')
  const unknown = gauge('unknown', 'Not known.', () => null)
  expect(renderMetrics([requests, errors, unknown])).toBe(`# HELP requests_total Requests.
# TYPE requests_total counter
requests_total{route="/q/:code",status="2xx"} 2

# HELP errors_total Errors.
# TYPE errors_total counter
errors_total 0

# HELP unknown Not known.
# TYPE unknown gauge
`)
})

it('sums the durations up to each limit', () => {
  const durations = new DurationHistogram('seconds', 'Times.')
  for (const seconds of [0.001, 0.002, 0.3, 60]) durations.observe({ route: '/' }, seconds)
  const samples = readExposition(renderMetrics([durations])).get('seconds')?.samples ?? []
  const upTo = (le: string) => samples.find(({ labels }) => labels.get('le') === le)?.value
  expect(['0.001', '0.0025', '0.25', '0.5', '10', '+Inf'].map(upTo)).toEqual([1, 2, 2, 3, 3, 4])
  expect(samples.find(({ name }) => name === 'seconds_sum')?.value).toBeCloseTo(60.303)
})

it('keeps any text in its label and its line', () => {
  const odd = 'a"b\\c\nd{}'
  const counter = new Counter('odd_total', 'One\nline \\ two.', true)
  counter.add({ route: odd })
  const [sample] = readExposition(renderMetrics([counter])).get('odd_total')?.samples ?? []
  expect(sample?.labels.get('route')).toBe(odd)
})
