import { render, screen } from '@testing-library/svelte'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { ok, type Result } from '../../../../electron/contract/failure.ts'
import type { Slip } from '../../../../electron/contract/slips.ts'
import type { TillState } from '../../../../electron/contract/till.ts'
import { BusinessContext, createAppContext } from '../../../../renderer/src/state/app-context.svelte.ts'
import { tillState } from '../../../support/till-state.ts'
import WithAppContext from '../support/WithAppContext.svelte'
import { bridgeWith, deferredCalls, flushPromises } from '../support/bridge.ts'
import '../support/english.ts'

// Svelte's media queries need it, and jsdom has none.
vi.stubGlobal('matchMedia', () => Object.assign(new EventTarget(), { matches: false }))
const { default: ShellAlerts } = await import('../../../../renderer/src/screens/ShellAlerts.svelte')

const renderBanner = () => {
  const cancelled: string[] = []
  const { requests, call } = deferredCalls<undefined, TillState>()
  const bridge = bridgeWith({
    connection: { retryConnection: (): Promise<Result<TillState>> => call(undefined) },
    slips: {
      cancelPrint: ({ jobId }) => {
        cancelled.push(jobId)
        return Promise.resolve(ok(null))
      }
    }
  })
  const app = createAppContext(bridge, window)
  const { till } = app
  till.accept(tillState())
  render(WithAppContext, {
    props: {
      app,
      businessContext: new BusinessContext(app),
      component: ShellAlerts as never,
      props: {
        get state() {
          return till.state
        }
      }
    }
  })
  return { requests, cancelled, till, said: () => app.announcer.sentences.map(({ text }) => text) }
}

const offline = tillState({ offlineSince: new Date().toISOString() })

test('going offline is said once, without the hint and the button', async () => {
  const { said, till } = renderBanner()
  await flushPromises()
  expect(said()).toEqual([])
  till.accept(offline)
  await vi.waitFor(() => {
    expect(said()).toEqual([expect.stringMatching(/^Offline since [\d:]+( [ap]m)?\.$/)])
  })
  till.accept(tillState({ offlineSince: offline.offlineSince }))
  await flushPromises()
  expect(said()).toHaveLength(1)
})

test('Try again sends one request and is disabled until the result arrives', async () => {
  const { requests, till } = renderBanner()
  till.accept(offline)
  const button = await vi.waitFor(() => screen.getByRole('button', { name: 'Try again' }))
  await userEvent.click(button)
  await userEvent.click(button)
  expect(requests).toHaveLength(1)
  expect((button as HTMLButtonElement).disabled).toBe(true)
  requests[0]?.resolve(ok(tillState()))
  await vi.waitFor(() => {
    expect(screen.queryByRole('button')).toBeNull()
  })
})

test.each(['online', 'offline'])(
  'the browser event "%s" starts a connection attempt and leaves the banner visible',
  async (event) => {
    const { requests, till } = renderBanner()
    till.accept(offline)
    window.dispatchEvent(new Event(event))
    await flushPromises()
    expect(requests).toHaveLength(1)
    expect(screen.getByText(/Offline since/)).toBeDefined()
  }
)

const slip = { points: 120, customer: { id: 'c1', name: 'Zoë' } } as Slip

test.each([
  [
    { slip, isTestPage: false },
    '120 points for Zoë: The printer is not available now. Another till may be using it.'
  ],
  [{ slip: null, isTestPage: false }, 'The printer is not available now. Another till may be using it.'],
  [
    { slip: null, isTestPage: true },
    'Test page: The printer is not available now. Another till may be using it.'
  ]
])('a print job that waits for the printer is cancelled once', async (page, sentence) => {
  const { cancelled, till } = renderBanner()
  till.accept(tillState({ hinderedPrint: { jobId: 'j1', fault: 'printer-busy', ...page } }))
  const alert = await vi.waitFor(() => screen.getByRole('alert'))
  expect(alert.textContent.replaceAll(/[\u2066-\u2069]/g, '')).toBe(sentence)
  expect(screen.getByText('The till keeps trying.')).toBeDefined()
  const button = screen.getByRole('button', { name: 'Cancel' })
  await userEvent.click(button)
  await userEvent.click(button)
  expect(cancelled).toEqual(['j1'])
  till.accept(tillState())
  await vi.waitFor(() => {
    expect(screen.queryByRole('alert')).toBeNull()
  })
})
