/** What `doctor` has to say. Each is one sentence, and one more with the next step. */

export interface Diagnosis {
  /** what keeps customers from collecting, or soon will */
  readonly findings: readonly string[]
  /** what could not be looked at, and why */
  readonly notSeen: readonly string[]
  /** what was looked at, and is right */
  readonly right: readonly string[]
}

const NOTHING: Diagnosis = { findings: [], notSeen: [], right: [] }

export const finding = (text: string): Diagnosis => ({ ...NOTHING, findings: [text] })
export const notSeen = (text: string): Diagnosis => ({ ...NOTHING, notSeen: [text] })
export const right = (text: string): Diagnosis => ({ ...NOTHING, right: [text] })

/** Returns several reports as one, in their order. */
export const joined = (reports: readonly Diagnosis[]): Diagnosis => ({
  findings: reports.flatMap(({ findings }) => findings),
  notSeen: reports.flatMap(({ notSeen }) => notSeen),
  right: reports.flatMap(({ right }) => right)
})

/** The lines for people. */
export const diagnosisText = ({ findings, notSeen, right }: Diagnosis): string => {
  const part = (title: string, lines: readonly string[]): readonly string[] =>
    lines.length === 0 ? [] : [title, ...lines.map((line) => `- ${line}`)]
  return [
    ...(findings.length === 0 ? ['Nothing found.'] : part('Found:', findings)),
    ...part('Not looked at:', notSeen),
    ...part('Right:', right)
  ].join('\n')
}

/** What an error says, without the address that systems repeat in it. */
export const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message
}
