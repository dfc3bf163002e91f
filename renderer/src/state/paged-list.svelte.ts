import type { Failure, Result } from '../../../electron/contract/failure.ts'
import { AsyncRequest, type IpcClient } from './ipc-client.svelte.ts'

/** Rows by their place in a list; undefined where one is not here (yet). An array is one, too. */
export interface RowSource<Row> {
  readonly length: number
  at(index: number): Row | undefined
}

/** The rows that can be seen, first and last, and the one that the keys are at. */
export interface VisibleRange {
  readonly first: number
  readonly last: number
  readonly active: number
}

/** Rows that are read at once. */
export interface RowPage<Row> {
  readonly rows: readonly Row[]
  readonly hasMore: boolean
}

/** Which rows are wanted: the `number`th block, from 1, which begins at row `offset`, from 0. */
export interface BlockRequest {
  readonly number: number
  readonly offset: number
}

/** Rows that were read together. */
interface Block<Row> {
  /** how many they were, also after they were dropped */
  readonly length: number
  /** null when they were dropped */
  readonly rows: readonly Row[] | null
  /** shown, and to be read again when in sight */
  readonly stale: boolean
}

/** Rows around those in sight that are read ahead, so that scrolling rarely meets an empty place. */
const AHEAD = 100
/** Rows around those in sight that stay in memory. What is further away is dropped, and read again on the way back. */
const KEPT = 500
/** Places at the end that stand for what follows and is not known yet. */
const TAIL = 3

/**
 * A list of any length. How long it is nobody says: the service only tells whether there is more, so the list grows as
 * its end comes into sight. Memory does not grow with it: of blocks far from the sight only their lengths are kept.
 */
export class PagedList<Row> implements RowSource<Row> {
  readonly #read: (block: BlockRequest) => Promise<Result<RowPage<Row>>>
  readonly #request: AsyncRequest
  #blocks = $state.raw<readonly Block<Row>[]>([])
  #hasMore = $state(true)
  #sight: VisibleRange = { first: 0, last: 0, active: 0 }
  #top = 0
  /** changes with each fresh start: what was asked before belongs to another list */
  #turn = 0
  #reading = false
  #known = $derived(this.#blocks.reduce((sum, { length }) => sum + length, 0))

  /** `read` reads one block; it answers with an empty block beyond the end. */
  constructor(ipc: IpcClient, read: (block: BlockRequest) => Promise<Result<RowPage<Row>>>) {
    this.#read = read
    this.#request = new AsyncRequest(ipc)
  }

  /** Rows that are known, and a few places for those that follow. */
  get length(): number {
    return this.#known + (this.#hasMore && this.isRead ? TAIL : 0)
  }

  /** Whether anything was read; before that an empty list says nothing. */
  get isRead(): boolean {
    return this.#blocks.length > 0
  }

  get hasMore(): boolean {
    return this.#hasMore
  }

  get request(): AsyncRequest {
    return this.#request
  }

  get failure(): Failure | null {
    return this.#request.failure
  }

  /** The row that was at the top when the list was last in sight: where to come back to. */
  get top(): number {
    return this.#top
  }

  at(index: number): Row | undefined {
    let offset = 0
    for (const { length, rows } of this.#blocks) {
      if (index < offset + length) return rows?.[index - offset]
      offset += length
    }
    return undefined
  }

  /** The rows that are in memory, in order. */
  get here(): readonly Row[] {
    return this.#blocks.flatMap(({ rows }) => rows ?? [])
  }

  /** Reads the list, or reads again what is in sight; the rest is read again when it comes into sight. */
  async refresh(): Promise<void> {
    this.#blocks = this.#blocks.map((block) => ({ ...block, stale: true }))
    this.#request.reset()
    this.#drop()
    await this.#readWanted()
  }

  /** Forgets everything and reads from the beginning. What is in sight stays until the first rows are there. */
  async restart(): Promise<void> {
    this.#turn++
    this.#top = 0
    this.#sight = { first: 0, last: 0, active: 0 }
    const read = await this.#request.run(() => this.#read({ number: 1, offset: 0 }))
    if (!read) return
    this.#blocks = [blockOf(read)]
    this.#hasMore = read.hasMore && read.rows.length > 0
    await this.#readWanted()
  }

  /** Goes on after a failure. */
  async retry(): Promise<void> {
    this.#request.reset()
    await this.#readWanted()
  }

  /** Hears what is in sight, and reads what is missing there. */
  see(sight: VisibleRange): void {
    this.#sight = sight
    this.#top = sight.first
    this.#drop()
    if (!this.#request.failure) void this.#readWanted()
  }

  /** Changes the rows that `change` gives another one for. */
  change(change: (row: Row) => Row): void {
    this.#blocks = this.#blocks.map((block) =>
      block.rows ? { ...block, rows: block.rows.map(change) } : block
    )
  }

  /** Puts a new row at the top; the others move down. */
  add(row: Row): void {
    const [first = { length: 0, rows: [], stale: false }, ...others] = this.#blocks
    this.#blocks = [
      { ...first, length: first.length + 1, rows: first.rows && [row, ...first.rows] },
      ...others
    ]
  }

  /** Reads block after block until nothing is missing in sight. */
  async #readWanted(): Promise<void> {
    if (this.#reading) return
    this.#reading = true
    try {
      for (let wanted = this.#wanted(); wanted !== null; wanted = this.#wanted()) {
        const turn = this.#turn
        const { place, offset } = wanted
        const read = await this.#request.run(() => this.#read({ number: place + 1, offset }))
        if (turn !== this.#turn) return
        if (!read && this.#request.failure) return
        // Somebody wanted it anew meanwhile.
        if (!read) continue
        this.#put(place, read)
        this.#drop()
      }
    } finally {
      this.#reading = false
    }
  }

  /** The first block that is missing where the cashier looks, or near it; the next one when the end is near. */
  #wanted(): { readonly place: number; readonly offset: number } | null {
    const { first, last } = this.#sight
    let offset = 0
    let near: { readonly place: number; readonly offset: number } | null = null
    for (const [place, { length, rows, stale }] of this.#blocks.entries()) {
      const end = offset + length
      if (rows === null || stale) {
        if (end > first && offset <= last) return { place, offset }
        if (rows === null && end > first - AHEAD && offset <= last + AHEAD) near ??= { place, offset }
      }
      offset = end
    }
    const endIsNear = this.#hasMore && last + AHEAD >= offset
    return near ?? (endIsNear ? { place: this.#blocks.length, offset } : null)
  }

  #put(place: number, read: RowPage<Row>): void {
    const before = this.#blocks.slice(0, place)
    const after = this.#blocks.slice(place + 1)
    // A list that became shorter ends here.
    const ends = !read.hasMore || read.rows.length === 0
    this.#blocks = [...before, blockOf(read), ...(ends ? [] : after)]
    if (ends) this.#hasMore = false
    else if (after.length === 0) this.#hasMore = true
  }

  #drop(): void {
    const { first, last, active } = this.#sight
    let offset = 0
    const blocks = this.#blocks.map((block) => {
      const start = offset
      offset += block.length
      const isNear = offset > first - KEPT && start <= last + KEPT
      const isActive = active >= start && active < offset
      return isNear || isActive || block.rows === null ? block : { ...block, rows: null }
    })
    if (blocks.some((block, place) => block !== this.#blocks[place])) this.#blocks = blocks
  }
}

const blockOf = <Row>({ rows }: RowPage<Row>): Block<Row> => ({ length: rows.length, rows, stale: false })
