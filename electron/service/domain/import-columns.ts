/** Which column of a file is what: by the names that other tills and people give them, or as an owner says. */
import { setImmediate } from 'node:timers/promises'
import { parsePhone } from '../../contract/phone.ts'
import { normalizeForSearch } from '../../contract/text.ts'
import { readRows, SEPARATORS, separatorLine, type CsvRow, type Separator } from './csv.ts'
import { Refusal } from './refusal.ts'

/** What is read of a file, by its kind. */
export const IMPORT_FIELDS = {
  customers: ['name', 'firstName', 'lastName', 'phone', 'otherPhone', 'email', 'balance', 'lifetimePoints'],
  rewards: ['name', 'points', 'enabled']
} as const
export type ImportKind = keyof typeof IMPORT_FIELDS
export type ImportField = (typeof IMPORT_FIELDS)[ImportKind][number]

/** The index of the column that has a field; a field without one is not read. */
export type ColumnChoice = Readonly<Partial<Record<ImportField, number>>>

/** A file with the names of its columns. */
export interface ImportTable {
  /** as the file writes them; a letter, as in a spreadsheet, for one without a name */
  readonly columns: readonly string[]
  /** those below the names */
  readonly rows: readonly CsvRow[]
}

/** Rows of a file, which are in memory at once. */
export const MAX_IMPORT_LINES = 200_000

/** Rows that are read at a time: some milliseconds. */
const SLICE = 250

/** Rows in which the names of the columns are looked for: titles and the date of an export stand before them. */
const HEAD_ROWS = 20

/**
 * The names of columns, the best first: of this service's exports, Square, Loyverse, Shopify, Lightspeed (X and R) and Odoo,
 * and what people write in the languages of the pages. Compared without case, accents, spaces and punctuation.
 */
const NAMES: Readonly<Record<ImportField, string>> = {
  name: `name, customer name, full name, customer, display name, complete name, contact name, client, client name, nom complet,
    kundenname, kunde, vollstandiger name, nom, nom du client, nombre, nombre completo, cliente, nombre del cliente, ονομα,
    ονοματεπωνυμο, πελατης, الاسم, اسم العميل, العميل, الاسم الكامل, reward, reward name, pramie, recompense, recompensa, ανταμοιβη`,
  firstName:
    'first name, given name, first, forename, vorname, prenom, nombre de pila, primer nombre, μικρο ονομα, الاسم الأول',
  lastName:
    'last name, surname, family name, last, nachname, familienname, nom de famille, apellido, apellidos, επωνυμο, επιθετο, اسم العائلة, اللقب',
  phone: `mobile, mobile phone, mobile number, cell, cell phone, cellphone number, phone, phone number, customer phone,
    contact number, telephone, telephone number, tel, phone 1, primary phone, handy, handynummer, mobil, mobiltelefon,
    mobilnummer, telefon, telefonnummer, portable, telephone portable, numero de telephone, movil, celular, telefono,
    numero de telefono, telefono movil, κινητο, κινητο τηλεφωνο, τηλεφωνο, الجوال, رقم الجوال, الموبايل, الهاتف, رقم الهاتف, هاتف`,
  otherPhone:
    'phone 2, default address phone, home phone, work phone, home, work, landline, festnetz, σταθερο, σταθερο τηλεφωνο',
  email:
    'email, e-mail address, customer email, email 1, mail, emailadresse, courriel, adresse email, correo, correo electronico, ηλεκτρονικο ταχυδρομειο, البريد الإلكتروني, البريد',
  balance: `loyalty balance, loyalty points, loyalty points balance, points balance, available points, current points,
    point balance, reward points, balance points, bonus points, points, balance, punkte, punktestand, bonuspunkte, treuepunkte,
    solde de points, points de fidelite, solde, puntos, saldo de puntos, saldo, ποντοι, υπολοιπο ποντων, υπολοιπο, النقاط, رصيد النقاط, نقاط, الرصيد`,
  lifetimePoints: `lifetime points, lifetime points earned, total points earned, points earned, earned points, total points,
    gesammelte punkte, points gagnes, puntos acumulados, συνολικοι ποντοι, إجمالي النقاط`,
  points:
    'points, cost, points cost, required points, price, punkte, kosten, cout, puntos, coste, ποντοι, κοστος, النقاط, التكلفة',
  enabled: 'enabled, active, is enable, aktiv, actif, activo, ενεργο, مفعل'
}

const plainName = (name: string): string =>
  normalizeForSearch(name.replace(/^.*\/(?=.)/, '').replaceAll(/\([^)]*\)/g, '')).replaceAll(
    /[^\p{L}\p{N}]/gu,
    ''
  )

/** The rank of each name of a field. */
const RANKS = new Map(
  Object.entries(NAMES).map(([field, names]) => [
    field,
    new Map(
      names
        .split(',')
        .map((name, rank) => [plainName(name), rank] as const)
        .toReversed()
    )
  ])
)

/** What a column is called that has points, whatever is meant by it. */
const POINTS = /point|punkt|punto|ποντ|نقاط|loyalty|balance|saldo|solde|υπολοιπ|رصيد/
const NOT_A_BALANCE =
  /earned|lifetime|total|spent|redeem|expir|store ?credit|account|program|enrol|gesamt|date/

/** Whether a column may have points, by its name. */
export const looksLikePoints = (name: string): boolean => POINTS.test(normalizeForSearch(name))

const isNamed = (cells: readonly string[], kind: ImportKind): number =>
  IMPORT_FIELDS[kind].filter((field) => cells.some((cell) => RANKS.get(field)?.has(plainName(cell)) === true))
    .length

/** Cells that say there is nothing. */
const BLANK = /^(?:-+|–|—|\.|n\/?a|null|none|nil|#n\/a)$/i

/** Returns a cell of a row; empty for none. */
export const cellAt = ({ cells }: CsvRow, index: number | undefined): string => {
  const cell = index === undefined ? '' : (cells[index] ?? '')
  return BLANK.test(cell) ? '' : cell
}

/** `A`, `B`, … `Z`, `AA`, as a spreadsheet calls its columns. */
const letters = (index: number): string =>
  (index < 26 ? '' : letters(Math.floor(index / 26) - 1)) + String.fromCharCode(65 + (index % 26))

const headOf = (text: string, separator: Separator): readonly CsvRow[] =>
  readRows(text, separator).take(HEAD_ROWS).toArray()

const isPhone = (cell: string, country: string): boolean => parsePhone(cell, country) !== null

/** Finds the separator, and the row with the names of the columns; null where the first row is a customer. */
const findHead = (text: string, kind: ImportKind, country: string) => {
  const { separator: told, rest } = separatorLine(text)
  const found = (told === null ? SEPARATORS : [told]).map((separator) => {
    const head = headOf(rest, separator)
    const scores = head.map(({ cells }) =>
      cells.some((cell) => isPhone(cell, country)) ? 0 : isNamed(cells, kind)
    )
    const best = Math.max(0, ...scores)
    return {
      separator,
      head,
      best,
      header: head[scores.indexOf(best)],
      width: head.reduce((sum, { cells }) => sum + cells.length, 0)
    }
  })
  const [first] = found.toSorted((one, other) => other.best - one.best || other.width - one.width)
  if (first === undefined) return null
  const { separator, head, best } = first
  const widest = Math.max(0, ...head.map(({ cells }) => cells.length))
  // Without a known name: the first row that is as wide as the others, unless a customer stands in it.
  const header = best > 0 ? first.header : head.find(({ cells }) => cells.length === widest)
  const isHeader = header !== undefined && (best > 0 || !header.cells.some((cell) => isPhone(cell, country)))
  return { rest, separator, header: isHeader ? header : null }
}

/**
 * Reads a whole file. Others are served meanwhile. Rejects with a `Refusal` for one that is too long.
 * @param country of the shop (ISO 3166-1), for phones without a country code
 */
export const readTable = async (kind: ImportKind, text: string, country: string): Promise<ImportTable> => {
  const head = findHead(text, kind, country)
  if (head === null) return { columns: [], rows: [] }
  const rows: CsvRow[] = []
  for (const row of readRows(head.rest, head.separator)) {
    if (row.row <= (head.header?.row ?? 0)) continue
    rows.push(row)
    if (rows.length > MAX_IMPORT_LINES) {
      throw new Refusal(
        'file-too-long',
        `The file has more than ${MAX_IMPORT_LINES} lines; import it in parts, each with the first line.`
      )
    }
    if (rows.length % SLICE === 0) await setImmediate()
  }
  const named = head.header?.cells ?? []
  // Readable rows alone say how many columns there are, where the file does not name them.
  const width =
    head.header === null
      ? Math.max(0, ...rows.slice(0, HEAD_ROWS).map(({ cells }) => cells.length))
      : named.length
  const columns = Array.from({ length: width }, (_, index) => (named[index] ?? '') || letters(index))
  return { columns, rows }
}

/** Guesses the columns of a file. Of two with the same name, one that is not empty. */
export const guessColumns = (
  kind: ImportKind,
  { columns, rows }: ImportTable,
  country: string
): ColumnChoice => {
  const filled = columns.map((_, index) => rows.some((row) => cellAt(row, index) !== ''))
  const taken = new Set<number>()
  const choice: Partial<Record<ImportField, number>> = {}
  const take = (field: ImportField, index: number | undefined): void => {
    if (index === undefined || choice[field] !== undefined) return
    choice[field] = index
    taken.add(index)
  }
  const ranked = (field: ImportField): readonly number[] =>
    columns
      .map((name, index) => ({ index, rank: RANKS.get(field)?.get(plainName(name)) }))
      .filter(({ rank, index }) => rank !== undefined && !taken.has(index))
      .toSorted(
        (one, other) =>
          Number(filled[other.index]) - Number(filled[one.index]) || (one.rank ?? 0) - (other.rank ?? 0)
      )
      .map(({ index }) => index)
  for (const field of IMPORT_FIELDS[kind]) {
    const [best, second] = ranked(field)
    take(field, best)
    if (field === 'phone') take('otherPhone', second)
  }
  if (kind === 'rewards') return choice
  const free = columns
    .keys()
    .filter((index) => !taken.has(index) && filled[index] === true)
    .toArray()
  const sample = rows.slice(0, HEAD_ROWS)
  const mostly = (test: (cell: string) => boolean): number | undefined =>
    free.find((index) => {
      const cells = sample.map((row) => cellAt(row, index)).filter((cell) => cell !== '')
      return cells.length > 0 && cells.filter(test).length * 2 > cells.length
    })
  if (choice.phone === undefined)
    take(
      'phone',
      mostly((cell) => isPhone(cell, country))
    )
  if (choice.email === undefined)
    take(
      'email',
      mostly((cell) => cell.includes('@'))
    )
  take(
    'balance',
    free.find((index) => {
      const name = normalizeForSearch(columns[index] ?? '')
      return !taken.has(index) && looksLikePoints(name) && !NOT_A_BALANCE.test(name)
    })
  )
  return choice
}
