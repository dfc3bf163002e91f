import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { good } from '../../../../electron/contract/failure.ts'
import { createCheckCode, createForPage, customersAnswers } from '../../../../electron/main/answers/index.ts'
import { createLoyaltyService, type LoyaltyService } from '../../../../electron/main/loyalty/index.ts'
import { createPictures } from '../../../../electron/main/pictures/index.ts'
import {
  createPracticeService,
  KNOWN_CUSTOMERS,
  PRACTICE_BASE_URL,
  PRACTICE_PUBLIC_URL,
  PRACTICE_TOKEN,
  SEEDED_CODES,
  type PracticeService
} from '../../../../electron/main/practice/index.ts'
import { Session } from '../../../../electron/main/till/index.ts'

const [known] = KNOWN_CUSTOMERS
let practice: PracticeService
let requests: string[]
let answers: ReturnType<typeof customersAnswers>

beforeEach(() => {
  requests = []
  practice = createPracticeService({
    file: ':memory:',
    tokens: [PRACTICE_TOKEN],
    publicUrl: PRACTICE_PUBLIC_URL
  })
  const connect = (): LoyaltyService =>
    createLoyaltyService({
      baseUrl: PRACTICE_BASE_URL,
      token: PRACTICE_TOKEN,
      language: () => 'en',
      qrImageParameter: () => null,
      fetch: (request) => {
        requests.push(request.url.replace(PRACTICE_BASE_URL, ''))
        return practice.fetch(request)
      }
    })
  const session = new Session<LoyaltyService>({
    memory: () => ({ mode: 'practice', baseUrl: null, business: null }),
    remember: () => undefined,
    connect,
    openPractice: () => Promise.resolve(connect()),
    onChange: () => undefined
  })
  const pictures = createPictures(() => Promise.reject(new Error('no picture is fetched here')))
  answers = customersAnswers(
    session,
    () => 'GR',
    createCheckCode(session, () => null),
    createForPage(pictures, () => 'GR')
  )
})

afterEach(() => {
  practice.close()
})

describe('what Find customer answers', () => {
  it('finds a customer, with a phone spaced for reading and a picture path in place of the remote avatar', async () => {
    const found = await answers.find({ text: known.phone, page: 1 })
    if (!found.ok || found.value.kind !== 'customers') throw new Error('no customers')
    const [first] = found.value.customers
    expect(first?.name).toBe(known.name)
    expect(first?.phone).toBe('+30 694 123 4567')
    expect(first?.avatar).toMatch(/^\/picture\//)
  })

  it('checks the code in a scanned address, and searches nobody', async () => {
    const found = await answers.find({ text: `${PRACTICE_PUBLIC_URL}/q/${SEEDED_CODES.used[0]}`, page: 1 })
    expect(found).toMatchObject(good({ kind: 'code', code: { used: true, slip: null } }))
    expect(requests).toEqual([`/qr/${SEEDED_CODES.used[0]}`])
  })

  it('checks a typed code when nobody is called that', async () => {
    const found = await answers.find({ text: SEEDED_CODES.unused[0], page: 1 })
    expect(found).toMatchObject(good({ kind: 'code', code: { used: false } }))
  })

  it('finds nobody, rather than failing, when a word is no code either', async () => {
    const found = await answers.find({ text: 'NOSUCHCODE1', page: 1 })
    expect(found).toMatchObject(good({ kind: 'customers', customers: [], phone: null }))
  })

  it('never takes a phone that nobody has for a code', async () => {
    await answers.find({ text: '690 000 0999', page: 1 })
    expect(requests.filter((path) => path.startsWith('/qr'))).toEqual([])
  })
})
