import { parse } from 'valibot'
import { describe, expect, it } from 'vitest'
import { err, ok, type Result, type Failure } from '../../../../electron/contract/failure.ts'
import { accountSchema, type QrCode } from '../../../../electron/contract/loyalty.ts'
import { createBatchesHandlers } from '../../../../electron/main/ipc/batches.ts'
import { createCheckCode } from '../../../../electron/main/ipc/check-code.ts'
import { SlipCalls } from '../../../../electron/main/ipc/slip-calls.ts'
import { createSlipsHandlers } from '../../../../electron/main/ipc/slips.ts'
import { Session } from '../../../../electron/main/session/session.ts'
import type { JournalSearch } from '../../../../electron/main/reports/slip-search.ts'
import type { SlipService } from '../../../../electron/main/slips/slip-service.ts'
import { AccountClient, connectorOf, MemorySettings } from '../../../support/session.ts'
import { slip } from '../../renderer/support/bridge.ts'

const qr: QrCode = {
  code: 'AR7K',
  qrURL: 'https://points.example/q/AR7K',
  qrImageURL: null,
  rewardPoints: 250,
  status: 'used',
  usedDate: '2026-11-20T17:11:00.000Z',
  expiresAt: null,
  createdAt: null,
  updatedAt: null
}
const own = slip('intent', { code: 'AR7K' })

/** A check in a till that issued AR7K, of a service that answers so. */
const check = (answer: Result<QrCode>) =>
  createCheckCode({ ask: () => Promise.resolve(answer) } as unknown as Session, {
    get: () =>
      Promise.resolve(
        ok({
          queries: {
            byCode: (code: string) => (code === own.code ? own : null),
            byUrl: (url: string) => (url === own.url ? own : null),
            newestCodes: () => [own]
          }
        })
      )
  })

const silent: Failure = { kind: 'offline' }

describe('checking a code', () => {
  it('returns the status from the service and the slip of this till', async () => {
    expect(await check(ok(qr))('ar7k')).toEqual(ok({ code: 'AR7K', qr, used: true, slip: own }))
  })

  it.each(['AR7K', ' ar7k ', 'https://points.example/q/AR7K'])(
    'returns the slip of this till without a response of the service: %s',
    async (text) => {
      expect(await check(err(silent))(text)).toEqual(ok({ code: 'AR7K', qr: null, used: null, slip: own }))
    }
  )

  it('fails without a response for a code that this till did not issue', async () => {
    expect(await check(err(silent))('BR8L')).toEqual(err(silent))
  })

  it.each(['https://elsewhere.example/q/BR8L', 'https://elsewhere.example/'])(
    'reports that the code is not in an address if the guess is wrong, or there is none: %s',
    async (address) => {
      const failure: Failure = { kind: 'invalid-input', field: 'code', fault: 'not-in-address' }
      expect(await check(err({ kind: 'not-found' }))(address)).toEqual(err(failure))
    }
  )

  it('reports an unknown code of an address that is like that of an issued one', async () => {
    expect(await check(err({ kind: 'not-found' }))('https://points.example/q/BR8L')).toEqual(
      err({ kind: 'not-found' })
    )
  })

  it('returns a refusal of the service instead of the slip', async () => {
    const refusal: Failure = { kind: 'not-found' }
    expect(await check(err(refusal))('AR7K')).toEqual(err(refusal))
  })

  it('ignores an aborted call', async () => {
    expect(await check(err(silent))('AR7K', AbortSignal.abort())).toEqual(err(silent))
  })
})

/** The handlers of a till that issued AR7K; `searched` has the texts that the journal was searched for. */
const createHandlers = (whileAsked = (): void => undefined) => {
  const askedPhones: string[] = []
  const client = {
    customerBy: (_field: string, phone: string) => {
      askedPhones.push(phone)
      return Promise.resolve(phone === '+306900000199' ? ok({ id: 'c1' }) : err({ kind: 'not-found' }))
    }
  }
  const session = {
    owner: { number: 1 },
    read: (ask: () => unknown) => ask(),
    ask: (question: (service: typeof client) => unknown) => question(client)
  }
  const searched: [string, string | undefined][] = []
  const queries = {
    byUrl: (url: string) => (url === own.url ? own : null),
    newestCodes: () => [own],
    byCode: (code: string) => (code === 'AB2CD3EF4GH5' ? slip('long', { code }) : null),
    list: ({ search }: { search: JournalSearch }) => {
      searched.push(['list', search.phoneOwnerId ?? search.text])
      return ok({ slips: [own], hasMore: false })
    },
    exportSlips: (_file: string, search: JournalSearch) => {
      searched.push(['export', search.phoneOwnerId ?? search.text])
      return Promise.resolve(ok(1))
    },
    exportCollectionsTo: () => {
      searched.push(['collections', undefined])
      return Promise.resolve(ok(null))
    }
  }
  const handlers = createSlipsHandlers({
    calls: new SlipCalls(
      { get: () => Promise.resolve(ok({ queries, reports: queries } as unknown as SlipService)) },
      session as unknown as Session
    ),
    session: session as unknown as Session,
    checkCode: check(err(silent)),
    cancelPrint: () => undefined,
    askWhereToSave: () => {
      whileAsked()
      return Promise.resolve('/slips.csv')
    },
    country: { code: 'GR' }
  })
  return { handlers, searched, session, askedPhones }
}

describe('a search by a scanned address', () => {
  it.each([
    ['https://points.example/q/AR7K', 'AR7K'],
    ['https://points.example/q/BR8L', 'BR8L'],
    ['https://elsewhere.example/', 'https://elsewhere.example/'],
    [' ar7k ', 'ar7k'],
    ['ab2c d3ef 4gh5', 'AB2CD3EF4GH5'],
    ['Anna Rosa Lena', 'Anna Rosa Lena']
  ])('lists and exports the same slips: %s', async (text, code) => {
    const { handlers, searched } = createHandlers()
    await handlers.list({ offset: 0, search: { text } })
    await handlers.exportCsv({ search: { text } })
    expect(searched).toEqual([
      ['list', code],
      ['export', code]
    ])
  })
})

describe('a search by a phone', () => {
  it.each(['6900000199', '690 000 0199', '+30 690 000 0199', '0030-690-0000199', '٦٩٠٠٠٠٠١٩٩'])(
    'finds the slips of the customer who has it, as the service says: %s',
    async (text) => {
      const { handlers, searched, askedPhones } = createHandlers()
      await handlers.list({ offset: 0, search: { text } })
      await handlers.exportCsv({ search: { text } })
      expect(askedPhones).toEqual(['+306900000199', '+306900000199'])
      expect(searched).toEqual([
        ['list', 'c1'],
        ['export', 'c1']
      ])
    }
  )

  it('finds what the text is the beginning of when no customer has it', async () => {
    const { handlers, searched } = createHandlers()
    await handlers.list({ offset: 0, search: { text: '6900000200' } })
    expect(searched).toEqual([['list', '6900000200']])
  })
})

describe('an export', () => {
  it('has no slips of another business that is connected while its file is chosen', async () => {
    const till = createHandlers(() => {
      till.session.owner = { number: 2 }
    })
    const range = { from: '2026-11-20', to: '2026-11-20' }
    expect(await till.handlers.exportCsv({})).toEqual(err({ kind: 'not-connected' }))
    till.session.owner = { number: 1 }
    expect(await till.handlers.exportCollections({ range, by: 'time' })).toEqual(
      err({ kind: 'not-connected' })
    )
    expect(till.searched).toEqual([])
  })
})

describe('what was pressed before the mode changed', () => {
  /** The handlers of a till in training mode whose journal is still being opened. */
  const openHandlers = async () => {
    const opened = Promise.withResolvers<SlipService>()
    const called: string[] = []
    const client = new AccountClient(() => ok(parse(accountSchema, { id: 'a1', name: 'Shop' })))
    const session = new Session({
      settings: new MemorySettings({ mode: 'business', baseUrl: 'https://shop.example/api/' }),
      connector: connectorOf(() => client),
      onChange: () => undefined
    })
    session.use({ baseUrl: 'https://shop.example/api/', token: 'shop' })
    await session.startTraining()
    const slips = {
      counter: {
        issue: () => {
          called.push('issue')
          return Promise.resolve(err({ kind: 'internal' }))
        }
      },
      batches: {
        start: () => {
          called.push('start')
          return Promise.resolve(err({ kind: 'internal' }))
        }
      }
    } as unknown as SlipService
    const open = { get: async () => ok(await opened.promise) }
    const calls = new SlipCalls(open, session)
    return {
      session,
      called,
      open: () => opened.resolve(slips),
      slips: createSlipsHandlers({
        calls,
        session,
        checkCode: check(err(silent)),
        cancelPrint: () => undefined,
        askWhereToSave: () => Promise.resolve(null),
        country: { code: 'GR' }
      }),
      batches: createBatchesHandlers(calls)
    }
  }
  const pressed = { intentId: '0b8f1c1e-77d3-4a55-9d1c-0a1b2c3d4e5f', points: 5, customer: null }
  const batch = { batchId: pressed.intentId, points: 5, count: 2, oneJob: false }

  it.each(['issue', 'start'])('is not issued in the new mode: %s', async (call) => {
    const till = await openHandlers()
    const result = call === 'issue' ? till.slips.issue(pressed) : till.batches.start(batch)
    await till.session.leaveTraining()
    till.open()
    expect(await result).toEqual(err({ kind: 'not-connected' }))
    expect(till.called).toEqual([])
  })

  it.each(['issue', 'start'])('is issued when nothing changed: %s', async (call) => {
    const till = await openHandlers()
    const result = call === 'issue' ? till.slips.issue(pressed) : till.batches.start(batch)
    till.open()
    await result
    expect(till.called).toEqual([call])
  })
})
