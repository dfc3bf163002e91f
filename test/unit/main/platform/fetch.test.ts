import { beforeEach, describe, expect, it, vi } from 'vitest'

/** What happened to Electron's sessions, in order: `writes-1 closed`, `writes-1 sent /qr`, `shared sent /account`. */
const { events, answers, system } = vi.hoisted(() => ({
  events: [] as string[],
  answers: new Map<string, PromiseWithResolvers<Response>>(),
  system: { isOnline: true }
}))

const send = (via: string) => (request: Request | string) => {
  const { pathname } = new URL(typeof request === 'string' ? request : request.url)
  events.push(`${via} sent ${pathname}`)
  const answer = Promise.withResolvers<Response>()
  answers.set(pathname, answer)
  return answer.promise
}

vi.mock('electron', () => ({
  net: { fetch: send('shared'), isOnline: () => system.isOnline },
  session: {
    defaultSession: {
      closeAllConnections: () => {
        events.push('shared closed')
        return Promise.resolve()
      }
    },
    fromPartition: (name: string) => ({
      closeAllConnections: () => {
        events.push(`${name} closed`)
        return Promise.resolve()
      },
      fetch: send(name)
    })
  }
}))

const { bufferedFetch } = await import('../../../../electron/main/loyalty/buffered-fetch.ts')
const { closeConnections, electronFetch } = await import('../../../../electron/main/platform/fetch.ts')

const request = (method: string, path: string) => new Request(`https://shop.example${path}`, { method })
const answer = async (path: string, body: BodyInit | null, init?: ResponseInit): Promise<void> => {
  await vi.waitFor(() => {
    expect(answers.has(path)).toBe(true)
  })
  answers.get(path)?.resolve(new Response(body, init))
}

beforeEach(() => {
  system.isOnline = true
  events.length = 0
  answers.clear()
})

describe('fetching through Electron', () => {
  it('reads over shared connections', async () => {
    const read = electronFetch(request('GET', '/account'))
    await answer('/account', '{}')
    await read
    expect(events).toEqual(['shared sent /account'])
  })

  it('writes over a connection that was never used before', async () => {
    const written = electronFetch(request('POST', '/qr'))
    await answer('/qr', '{}')
    expect(await (await written).text()).toBe('{}')
    expect(events).toEqual(['writes-1 closed', 'writes-1 sent /qr'])
  })

  it('uses a lane again only when its answer was read, and has four', async () => {
    const paths = ['/1', '/2', '/3', '/4', '/5']
    const writes = paths.map((path) => electronFetch(request('POST', path)))
    await answer('/1', 'one')
    const first = await writes[0]
    const sent = () => events.filter((event) => event.includes('sent')).length
    await vi.waitFor(() => {
      expect(sent()).toBe(4)
    })
    await first?.text()
    await vi.waitFor(() => {
      expect(sent()).toBe(5)
    })
    for (const path of paths.slice(1)) await answer(path, null)
    await Promise.all(writes)
  })

  it('frees the lane of a write that failed', async () => {
    for (let times = 0; times < 5; times += 1) {
      answers.clear()
      const written = electronFetch(request('POST', '/fails'))
      await vi.waitFor(() => {
        expect(answers.has('/fails')).toBe(true)
      })
      answers.get('/fails')?.reject(new Error('net::ERR_CONNECTION_RESET'))
      await expect(written).rejects.toThrow('ERR_CONNECTION_RESET')
    }
  })

  it('frees the connection of a response that is not read to its end', async () => {
    for (let times = 0; times < 5; times += 1) {
      answers.clear()
      const written = electronFetch(request('POST', '/dropped'))
      await answer('/dropped', 'long')
      await (await written).body?.cancel()
    }
    expect(events.filter((event) => event.includes('sent'))).toHaveLength(5)
  })

  it('frees the lane of a redirect, whose body is not read', async () => {
    const post = bufferedFetch(electronFetch)
    for (let times = 0; times < 5; times += 1) {
      answers.clear()
      const written = post(request('POST', '/moved'))
      await answer('/moved', 'Moved', { status: 302 })
      await expect(written).rejects.toMatchObject({ fault: 'redirect' })
    }
  })

  it('frees a lane once when its body is cancelled while a read waits', async () => {
    const written = electronFetch(request('POST', '/waits'))
    await answer('/waits', new ReadableStream())
    const reader = (await written).body?.getReader()
    const read = reader?.read()
    await reader?.cancel()
    await read
    events.length = 0
    const paths = ['/1', '/2', '/3', '/4', '/5', '/6']
    const writes = paths.map((path) => electronFetch(request('POST', path)))
    await new Promise((resolve) => setImmediate(resolve))
    const lanes = events.filter((event) => event.includes('sent')).map((event) => event.split(' ')[0])
    expect(lanes.toSorted()).toEqual(['writes-1', 'writes-2', 'writes-3', 'writes-4'])
    for (const path of paths) await answer(path, null)
    await Promise.all(writes)
  })
})

describe('writing while the system has no network', () => {
  it('sends nothing when a read does not reach the service either, and says so', async () => {
    system.isOnline = false
    const written = bufferedFetch(electronFetch)(request('POST', '/qr'))
    await vi.waitFor(() => {
      expect(answers.has('/qr')).toBe(true)
    })
    answers.get('/qr')?.reject(new Error('net::ERR_INTERNET_DISCONNECTED'))
    await expect(written).rejects.toMatchObject({ cause: { fault: 'not-sent' } })
    expect(events).toEqual(['shared sent /qr'])
  })

  it('sends it when the service answers: the network is one that the system does not count', async () => {
    system.isOnline = false
    const written = electronFetch(request('POST', '/qr'))
    await answer('/qr', null, { status: 404 })
    answers.clear()
    await answer('/qr', '{}')
    expect(await (await written).text()).toBe('{}')
    expect(events.filter((event) => event.endsWith('sent /qr'))).toHaveLength(2)
  })
})

it('closes every connection that was ever opened, shared ones and lanes', async () => {
  const written = electronFetch(request('POST', '/late'))
  await answer('/late', null)
  await written
  events.length = 0
  await closeConnections()
  expect(events).toEqual([
    'shared closed',
    'writes-1 closed',
    'writes-2 closed',
    'writes-3 closed',
    'writes-4 closed'
  ])
})
