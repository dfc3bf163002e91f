/** What the till needs of each field of an answer, by the interface document, part 2. */

/** How a field may be wrong without costing the cashier the answer. */
export type Need =
  /** a text with content */
  | 'text'
  /** a number */
  | 'number'
  /** a list of such entries */
  | 'list'
  /** nothing: whatever comes is read as well as it goes */
  | 'nothing'

const customer = {
  id: 'text',
  name: 'nothing',
  email: 'nothing',
  phone: 'nothing',
  avatar: 'nothing',
  balance: 'number',
  lifetimePoints: 'nothing'
} as const
const page = {
  hasMore: 'nothing',
  currentPage: 'nothing',
  pageSize: 'nothing',
  data: 'list'
} as const
const reward = { id: 'text', name: 'nothing', cost: 'number', index: 'nothing' } as const
const code = {
  createdAt: 'nothing',
  updatedAt: 'nothing',
  code: 'text',
  rewardPoints: 'nothing',
  status: 'nothing',
  usedDate: 'nothing',
  qrURL: 'text',
  qrImageURL: 'nothing'
} as const

const inEach = (entry: Readonly<Record<string, Need>>): Record<string, Need> =>
  Object.fromEntries(Object.entries(entry).map(([name, need]) => [`data.0.${name}`, need]))

/** The fields of each operation's answer, by their paths. */
export const FIELDS: Readonly<Record<string, Readonly<Record<string, Need>>>> = {
  listCustomers: { ...page, noCustomers: 'nothing', ...inEach(customer) },
  searchCustomers: { ...page, noCustomers: 'nothing', ...inEach(customer) },
  customerById: customer,
  customerByPhone: customer,
  customerByEmail: customer,
  listRewards: { ...page, noRewards: 'nothing', ...inEach(reward) },
  reward: { ...reward, createdAt: 'nothing', updatedAt: 'nothing', isEnable: 'nothing' },
  account: {
    id: 'text',
    name: 'nothing',
    logo: 'nothing',
    timeZone: 'nothing',
    currentPlan: 'nothing',
    currentPlanInterval: 'nothing',
    currentCustomers: 'nothing',
    getStartedLink: 'nothing',
    address: 'nothing',
    'address.street': 'nothing',
    'address.city': 'nothing',
    'address.state': 'nothing',
    'address.country': 'nothing',
    'address.zipCode': 'nothing'
  },
  qr: code,
  addCustomer: customer,
  createQr: code
}

/** What stands in a field instead, as JSON, with the needs that it meets all the same. */
export const WRONG: readonly (readonly [string, readonly Need[]])[] = [
  ['null', ['nothing']],
  ['true', ['nothing']],
  ['7', ['number', 'nothing']],
  ['1e400', ['nothing']],
  ['""', ['nothing']],
  ['"text"', ['text', 'nothing']],
  ['[]', ['list', 'nothing']],
  ['[[]]', ['nothing']],
  ['{}', ['nothing']],
  ['{"__proto__":{"polluted":1}}', ['nothing']]
]

/** An answer with something else in the field at `path`; left out altogether for `undefined`. */
export function spoiled(body: Buffer, path: string, json: string | undefined): string {
  const mark = 'what stands here instead'
  const steps = path.split('.')
  const put = (value: unknown, [step, ...rest]: readonly string[]): unknown => {
    if (step === undefined) return mark
    if (Array.isArray(value))
      return value.map((item: unknown, at) => (String(at) === step ? put(item, rest) : item))
    const entries = Object.entries(value as Readonly<Record<string, unknown>>)
    const kept = json === undefined && rest.length === 0 ? entries.filter(([name]) => name !== step) : entries
    const had = kept.some(([name]) => name === step)
    const all = had || json === undefined ? kept : [...kept, [step, null] as const]
    return Object.fromEntries(all.map(([name, inner]) => [name, name === step ? put(inner, rest) : inner]))
  }
  return JSON.stringify(put(JSON.parse(body.toString('utf8')), steps)).replace(
    JSON.stringify(mark),
    json ?? ''
  )
}
