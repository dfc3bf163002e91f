/** What the built till’s page cannot do, tried in its own window. */
import { existsSync, readdirSync, statSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { startRecordingServer, type RecordingServer } from '../support/recording-server.ts'
import { expect, test as base } from './support/fixtures.ts'

/** With a website that the page may try to reach. */
const test = base.extend<{ website: RecordingServer }>({
  website: async ({}, use) => {
    const website = await startRecordingServer()
    await use(website)
    await website.close()
  }
})

test.describe('renderer security', () => {
  test('runs no inline script and no eval', async ({ shared }) => {
    const { page } = shared
    const ran = await page.evaluate(async () => {
      const attempt = (make: () => unknown): string => {
        try {
          return String(make())
        } catch (error) {
          return error instanceof Error ? error.name : 'thrown'
        }
      }
      const script = document.createElement('script')
      script.textContent = 'globalThis.injected = true'
      document.head.append(script)
      document.body.insertAdjacentHTML('beforeend', '<img src="x:" onerror="globalThis.injected = true">')
      // While DevTools evaluates, it allows what the content policy does not.
      await new Promise((resolve) => setTimeout(resolve, 100))
      return {
        // In two pieces: the linter forbids it, as the content policy does.
        evaluated: attempt(() =>
          (Reflect.get(globalThis, 'ev' + 'al') as (text: string) => unknown)('1 + 1')
        ),
        made: attempt(() => Reflect.construct(Function, ['return 1'])),
        injected: String(Reflect.get(globalThis, 'injected'))
      }
    })
    expect(ran).toMatchObject({ evaluated: 'EvalError', made: 'EvalError', injected: 'undefined' })
  })

  test('makes no external request by fetch, image, frame, script, style or form', async ({
    shared,
    website
  }) => {
    const { page } = shared
    const url = new URL(website.baseUrl).origin
    const outcome = await page.evaluate(async (target) => {
      const loaded = (tag: 'img' | 'iframe' | 'script' | 'link' | 'video' | 'object'): Promise<string> =>
        new Promise((resolve) => {
          const element = document.createElement(tag)
          element.addEventListener('load', () => resolve('loaded'))
          element.addEventListener('error', () => resolve('refused'))
          if (tag === 'link') element.setAttribute('rel', 'stylesheet')
          element.setAttribute(
            tag === 'link' ? 'href' : tag === 'object' ? 'data' : 'src',
            `${target}/${tag}`
          )
          document.body.append(element)
          // A blocked frame emits no event. The others do, and a slow machine needs longer for them.
          if (tag === 'iframe' || tag === 'object' || tag === 'video')
            setTimeout(() => resolve('nothing'), 500)
        })
      const form = document.createElement('form')
      form.action = `${target}/form`
      form.method = 'post'
      document.body.append(form)
      form.submit()
      return {
        fetch: await fetch(`${target}/fetch`).then(
          () => 'answered',
          () => 'refused'
        ),
        beacon: navigator.sendBeacon(`${target}/beacon`) ? 'queued' : 'refused',
        img: await loaded('img'),
        script: await loaded('script'),
        link: await loaded('link'),
        frame: await loaded('iframe'),
        video: await loaded('video'),
        object: await loaded('object')
      }
    }, url)
    expect(outcome).toMatchObject({ fetch: 'refused', img: 'refused', script: 'refused', link: 'refused' })
    // Independent of the results in the page: the requests that were sent.
    expect(website.requests).toEqual([])
  })

  test('gets no permission', async ({ shared }) => {
    const { page } = shared
    const answers = await page.evaluate(async () => {
      const state = async (name: string): Promise<string> =>
        navigator.permissions.query({ name: name as PermissionName }).then(
          (status) => status.state,
          () => 'denied'
        )
      return {
        notifications: await Notification.requestPermission(),
        geolocation: await state('geolocation'),
        camera: await state('camera'),
        microphone: await state('microphone'),
        clipboard: await state('clipboard-read'),
        position: await new Promise((resolve) => {
          navigator.geolocation.getCurrentPosition(
            () => resolve('granted'),
            () => resolve('denied')
          )
        })
      }
    })
    expect(new Set(Object.values(answers))).toEqual(new Set(['denied']))
  })

  test('opens no local file and no webview', async ({ shared }) => {
    const { page, app } = shared
    const before = page.url()
    const answer = await page.evaluate(async () => {
      const webview = document.createElement('webview')
      webview.setAttribute('src', 'https://example.com/')
      document.body.append(webview)
      location.href = 'file:///etc/hostname'
      return fetch('file:///etc/hostname').then(
        () => 'read',
        () => 'refused'
      )
    })
    expect(answer).toBe('refused')
    expect(page.url()).toBe(before)
    const contents = await app.evaluate(({ webContents }) => webContents.getAllWebContents().length)
    expect(contents).toBe(1)
  })

  test('changes of built-in prototypes do not reach the preload', async ({ shared }) => {
    const { page } = shared
    const mode = await page.evaluate(async () => {
      const stolen: unknown[] = []
      Reflect.set(Object.prototype, 'invoke', (...args: unknown[]) => stolen.push(args))
      Reflect.set(Promise.prototype, 'then', new Proxy(Reflect.get(Promise.prototype, 'then'), {}))
      Reflect.set(Array.prototype, 'map', () => stolen)
      const answer = await window.tillpoints?.till.state()
      return answer?.ok === true && stolen.length === 0 ? answer.value.mode : 'stolen'
    })
    // The next test begins with a call of the page.
    await page.reload()
    expect(mode).toBe('business')
  })

  test('cannot modify the bridge', async ({ shared }) => {
    const { page } = shared
    const changed = await page.evaluate(() => {
      const bridge = window.tillpoints
      if (!bridge) return 'missing'
      const attempts = [
        () => Reflect.set(bridge, 'till', {}),
        () => Reflect.set(bridge.connection, 'check', () => 'mine'),
        () => Reflect.deleteProperty(bridge, 'till'),
        () => Reflect.set(globalThis, 'tillpoints', {})
      ]
      return attempts.map((attempt) => attempt())
    })
    expect(changed).toEqual([false, false, false, false])
  })
})

if (process.platform !== 'win32') {
  test('files are readable by the owner only', async ({ openConnected, userData }) => {
    const till = await openConnected()
    await till.cashier.print(10)
    await expect(till.cashier.lastSlip).toBeVisible()
    const folder = join(userData, 'till')
    // Made behind the window, when that has settled.
    await expect
      .poll(() => existsSync(join(folder, 'backups')) && readdirSync(join(folder, 'backups')))
      .toHaveLength(1)
    await till.close()
    // Chromium keeps files of its own there; none of them holds a slip.
    const own = (await readdir(folder, { recursive: true })).filter((name) =>
      /^(journal|settings|training|slips|logs|backups)/.test(name)
    )
    expect(own.length).toBeGreaterThan(6)
    expect(own.filter((name) => (statSync(join(folder, name)).mode & 0o077) !== 0)).toEqual([])
  })
}
