import { render, screen } from '@testing-library/svelte'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { ok, type Result } from '../../../../electron/contract/failure.ts'
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
  const { requests, call } = deferredCalls<undefined, TillState>()
  const bridge = bridgeWith({
    connection: { retryConnection: (): Promise<Result<TillState>> => call(undefined) }
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
  return { requests, till }
}

/** The region of the banner, above that of the update. */
const statusElement = (): HTMLElement => {
  const [banner] = screen.getAllByRole('status')
  if (!banner) throw new Error('There is no status region.')
  return banner
}

const offline = tillState({ offlineSince: new Date().toISOString() })

test('the offline banner keeps one status element, so that screen readers announce going offline and online', async () => {
  const { till } = renderBanner()
  await flushPromises()
  const status = statusElement()
  expect(status.textContent.trim()).toBe('')
  till.accept(offline)
  await vi.waitFor(() => {
    expect(status.textContent).toMatch(/Offline since \d/)
  })
  expect(statusElement()).toBe(status)
  till.accept(tillState())
  await vi.waitFor(() => {
    expect(status.textContent.trim()).toBe('')
  })
  expect(statusElement()).toBe(status)
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
    expect(statusElement().textContent.trim()).not.toBe('')
  }
)
