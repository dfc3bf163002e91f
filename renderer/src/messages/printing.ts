import type { CodeStyle, PaperName, Printer, PrinterState } from '../../../electron/contract/printing.ts'
import type { Rounding } from '../../../electron/contract/points-rule.ts'
import type { AddressFault } from '../state/printer-form.svelte.ts'
import type { RuleFault } from '../state/points-rule-form.svelte.ts'
import type { SettingsPart } from '../state/workplace.svelte.ts'
import { formatNumber } from '../format/numbers.ts'
import { points as pointsOf } from './common.ts'
import { printFaultSentence } from './print-fault-sentence.ts'

const PARTS: Readonly<Record<SettingsPart, string>> = {
  general: 'General',
  printer: 'Printer',
  slip: 'Slip',
  points: 'Points from an amount'
}
export const settingsPart = ({ part }: { part: SettingsPart }): string => PARTS[part]
export const settingsParts = (): string => 'Parts of the settings'

export const whereSlipsGo = (): string => 'Where slips go'
export const folder = (): string => 'Slips folder'
export const folderHint = ({ path }: { path: string }): string => `Saved as PDF in ${path}`
export const queueName = ({ name, description }: Pick<Printer, 'name' | 'description'>): string =>
  description || name
export const printerState = ({ state }: { state: PrinterState }): string => {
  switch (state.kind) {
    case 'ready':
      return 'Ready'
    case 'printing':
      return 'Printing now'
    case 'hindered':
      return printFaultSentence(state.fault, false).sentence
    case 'unknown':
      return 'Says nothing of itself'
  }
}
export const systemDefault = (): string => 'This machine’s default'
export const queueMissing = (): string => 'Not found on this machine now'
export const noQueues = (): string => 'This machine knows no printers.'
export const lookAgain = (): string => 'Look again'
export const networkPrinter = (): string => 'Receipt printer on the network'
export const networkPrinterHint = (): string => 'By its address: ESC/POS, usually port 9100'
export const host = (): string => 'Address'
export const hostHint = (): string => 'Such as 192.168.1.50'
export const port = (): string => 'Port'
const CODE_STYLES: Readonly<Record<CodeStyle, string>> = {
  raster: 'As on every other paper',
  'native-qr': 'By the printer’s own QR command'
}
export const codeDrawing = (): string => 'Drawing of the code'
export const codeDrawingHint = (): string => 'The printer’s own is sharper on some models'
export const codeStyle = ({ style }: { style: CodeStyle }): string => CODE_STYLES[style]
export const addressFaults: Readonly<Record<AddressFault, () => string>> = {
  host: () => 'Type the printer’s address: a name or numbers, without spaces.',
  port: () => 'The port is a number from 1 to 65,535.'
}
export const useThisPrinter = (): string => 'Use this printer'

export const paperAndCopies = (): string => 'Paper and copies'
export const paperLabel = (): string => 'Paper'
export const paperHint = (): string => 'The paper that is in the printer'
const PAPER_NAMES: Readonly<Record<PaperName, string>> = {
  '58mm': '58 mm roll',
  '80mm': '80 mm roll',
  A6: 'A6 sheet',
  A4: 'A4 sheet'
}
export const paperName = ({ paper }: { paper: PaperName }): string => PAPER_NAMES[paper]
export const copiesOfEach = (): string => 'Copies of each slip'
export const copiesOfEachHint = (): string =>
  'The till offers this many first; from the second on marked COPY'
export const jobs = (): string => 'Print jobs'
export const jobsHint = (): string => 'For many slips at once, and for copies'
export const oneJobForAll = (): string => 'One job for all papers'
export const oneJobEach = (): string => 'One job per slip'
export const testPage = (): string => 'Test page'
export const printTestPage = (): string => 'Print test page'
export const testing = (): string => 'Printing the test page'
export const testPageOut = (): string => 'The test page is out. Scan its code with a phone.'
export const testPageHint = (): string => 'Shows whether margins, size and code come out right.'

export const wordsOnSlip = (): string => 'On the slip'
export const headline = (): string => 'Headline'
export const headlineHint = (): string => 'Above the points; empty for “Your points”'
export const footer = (): string => 'Footer'
export const footerHint = (): string => 'The last line, such as opening hours'
export const tillName = (): string => 'Till’s name'
export const tillNameHint = (): string => 'Which till printed it, such as “Till 2”'
export const showCustomerName = (): string => 'Show the customer’s name'
export const showLogo = (): string => 'Show the logo'
export const showJoinUs = (): string => 'Show a “Join us” code'
export const noLogo = (): string => 'The business has no logo in the points service.'
export const noJoinLink = (): string => 'The business has no link for joining in the points service.'
export const joinUsHint = (): string => 'A second code that leads to the business’s own page'
export const preview = (): string => 'Preview'
export const previewOf = ({ paper }: { paper: PaperName }): string => `A slip on ${paperName({ paper })}`
export const previewPaper = (): string => 'Preview on'
export const previewSize = ({ width, height }: { width: number; height: number }): string =>
  `${formatNumber(Math.round(width))} × ${formatNumber(Math.round(height))} mm`
export const missingCharacters = ({ count }: { count: number }): string =>
  count === 1 ? 'No font of this till has this character:' : 'No font of this till has these characters:'
export const missingCharactersNext = (): string => 'The slip shows a mark in its place.'

export const pointsRule = (): string => 'Points from an amount'
export const pointsRuleIntro = (): string =>
  'The cashier types the bill, and the till says the points. Typing points directly still works.'
export const reckonPoints = (): string => 'Reckon points from the bill'
export const pointsPerUnit = (): string => 'Points for each unit of money'
export const pointsPerUnitHint = ({ unit }: { unit: string }): string => `For each ${unit}`
export const rounding = (): string => 'Rounding'
const ROUNDING_WORDS: Readonly<Record<Rounding, string>> = {
  down: 'Down to whole points',
  nearest: 'To the nearest point',
  up: 'Up to whole points'
}
export const roundingHint = (): string => 'What happens to parts of a point'
export const roundingWord = ({ rounding }: { rounding: Rounding }): string => ROUNDING_WORDS[rounding]
export const minimumBill = (): string => 'Smallest bill'
export const minimumBillHint = (): string => 'Smaller bills give no points'
export const currency = (): string => 'Currency'
export const currencyHint = (): string => 'In which bills are typed'
export const ruleFaults: Readonly<Record<RuleFault, () => string>> = {
  'points-per-unit': () => 'Type how many points a unit of money gives, such as 1 or 0.5.',
  minimum: () => 'Type the smallest bill as a number, such as 5.'
}
export const ruleExample = ({ amount, points }: { amount: string; points: number }): string =>
  `A bill of ${amount} gives ${pointsOf({ points })}.`
export const ruleExampleNone = ({ amount }: { amount: string }): string =>
  `A bill of ${amount} gives no points.`
