/** What this till is made of, for whoever helps its user, or has to know whose work is in it. */

/** A package that the till is built with. */
export interface UsedPackage {
  readonly name: string
  /** as npm writes it */
  readonly version: string
}

export interface AboutTill {
  readonly version: string
  /** versions of what it runs on; empty where that does not tell */
  readonly electron: string
  readonly chromium: string
  readonly node: string
  /** operating system, its release and processor, as the system calls them */
  readonly system: string
  /** the licences of others, as one text; null in a till that was built without them */
  readonly licences: string | null
  /** the packages that it names, where there is no such text */
  readonly packages: readonly UsedPackage[]
}
