import type { Failure, Result } from '../../../electron/contract/failure.ts'
import { AsyncRequest, type IpcClient } from './ipc-client.svelte.ts'

/** Rows by index; undefined for a row that is not loaded. An array is one. */
export interface RowSource<Row> {
  readonly length: number
  at(index: number): Row | undefined
}

/** The indices of the visible rows, first and last, and of the row that has the focus. */
export interface VisibleRange {
  readonly first: number
  readonly last: number
  readonly active: number
}

/** Rows that were read with one request. */
export interface RowPage<Row> {
  readonly rows: readonly Row[]
  readonly hasMore: boolean
}

/** The block to read: its number, from 1, and the index of its first row, from 0. */
export interface BlockRequest {
  readonly number: number
  readonly offset: number
}

/** Rows that were read together. */
interface Block<Row> {
  /** the number of rows, also after they were dropped */
  readonly length: number
  /** null if they were dropped */
  readonly rows: readonly Row[] | null
  /** shown, and read again when visible */
  readonly stale: boolean
}

/** Rows around the visible ones that are read ahead, so that scrolling rarely shows an empty row. */
const READ_AHEAD_ROWS = 100
/** Rows around the visible ones that stay in memory. Others are dropped, and read again when scrolling back. */
const KEPT_ROWS = 500
/** Placeholder rows at the end for rows that are not known yet. */
const PLACEHOLDER_ROWS = 3

/**
 * A list of any length. The service does not return a total, only whether there is more, so the list grows as its
 * end becomes visible. Memory stays bounded: distant blocks keep only their lengths.
 */
export class PagedList<Row> implements RowSource<Row> {
  readonly #read: (block: BlockRequest) => Promise<Result<RowPage<Row>>>
  readonly #keyOf: ((row: Row) => string) | null
  readonly request: AsyncRequest
  #blocks = $state.raw<readonly Block<Row>[]>([])
  hasMore = $state(true)
  #visible: VisibleRange = { first: 0, last: 0, active: 0 }
  /** The first row that was visible last: the position to return to. */
  topRow = 0
  /** changes with each restart: earlier responses belong to another list */
  #generation = 0
  /** changes when rows are added: a block that was requested before begins elsewhere now */
  #additions = 0
  /** the generation whose missing blocks are being read; null if none are */
  #reading: number | null = null
  /** whether the rows are of an earlier list: a restart has not been answered yet, or failed */
  #restarting = false
  #knownRows = $derived(this.#blocks.reduce((sum, { length }) => sum + length, 0))

  /**
   * `read` reads one block, which is empty beyond the end. With `keyOf`, which identifies a row, a block that only repeats
   * rows of other blocks counts as empty: a service may ignore the page number.
   */
  constructor(
    ipc: IpcClient,
    read: (block: BlockRequest) => Promise<Result<RowPage<Row>>>,
    keyOf: ((row: Row) => string) | null = null
  ) {
    this.#read = read
    this.#keyOf = keyOf
    this.request = new AsyncRequest(ipc)
  }

  /** The number of known rows, plus placeholders for those that follow. */
  get length(): number {
    return this.#knownRows + (this.hasMore && this.isRead ? PLACEHOLDER_ROWS : 0)
  }

  /** Whether anything was read. Before, an empty list means nothing. */
  get isRead(): boolean {
    return this.#blocks.length > 0
  }

  get failure(): Failure | null {
    return this.request.failure
  }

  at(index: number): Row | undefined {
    let offset = 0
    for (const { length, rows } of this.#blocks) {
      if (index < offset + length) return rows?.[index - offset]
      offset += length
    }
    return undefined
  }

  /** The rows in memory, in order. */
  get loadedRows(): readonly Row[] {
    return this.#blocks.flatMap(({ rows }) => rows ?? [])
  }

  /** Reads the list, or reads the visible rows again; the others are read again when visible. */
  async refresh(): Promise<void> {
    if (this.#restarting) {
      await this.restart()
      return
    }
    this.#blocks = staleBlocks(this.#blocks)
    this.request.reset()
    this.#dropDistantBlocks()
    await this.#readMissing()
  }

  /** Call when rows were added in places that are not known: each block is read again when visible. */
  async invalidate(): Promise<void> {
    this.#additions++
    this.#blocks = staleBlocks(this.#blocks)
    if (!this.request.failure && !this.#restarting) await this.#readMissing()
  }

  /** Reads from the beginning. The visible rows stay until the first response. */
  async restart(): Promise<void> {
    this.#generation++
    this.#restarting = true
    this.topRow = 0
    this.#visible = { first: 0, last: 0, active: 0 }
    const read = await this.request.run(() => this.#read({ number: 1, offset: 0 }))
    if (!read) return
    this.#restarting = false
    this.#blocks = [blockOf(read.rows)]
    this.hasMore = read.hasMore && read.rows.length > 0
    await this.#readMissing()
  }

  /** Continues after a failure: repeats a restart that failed. */
  async retry(): Promise<void> {
    if (this.#restarting) {
      await this.restart()
      return
    }
    this.request.reset()
    await this.#readMissing()
  }

  /** Sets the visible rows and reads those that are missing. */
  setVisibleRange(visible: VisibleRange): void {
    this.#visible = visible
    this.topRow = visible.first
    this.#dropDistantBlocks()
    if (!this.request.failure && !this.#restarting) void this.#readMissing()
  }

  /** Replaces each row by what `change` returns for it. */
  updateRows(change: (row: Row) => Row): void {
    this.#blocks = this.#blocks.map((block) =>
      block.rows ? { ...block, rows: block.rows.map(change) } : block
    )
  }

  /** Inserts a row at the top. Of many such rows the newest stay in memory: the list may not be shown for months. */
  prepend(row: Row): void {
    this.#additions++
    const [first = blockOf<Row>([]), ...others] = this.#blocks
    if (first.rows !== null && first.length >= KEPT_ROWS) {
      this.#blocks = [{ ...first, rows: [row, ...first.rows.slice(0, KEPT_ROWS - 1)], length: KEPT_ROWS }]
      this.hasMore = true
      return
    }
    this.#blocks = [
      { ...first, length: first.length + 1, rows: first.rows && [row, ...first.rows] },
      ...others
    ]
  }

  /** Reads blocks until no visible row is missing. */
  async #readMissing(): Promise<void> {
    const generation = this.#generation
    if (this.#reading === generation) return
    this.#reading = generation
    try {
      for (let missing = this.#nextMissingBlock(); missing !== null; missing = this.#nextMissingBlock()) {
        const additions = this.#additions
        const { blockIndex, offset } = missing
        const read = await this.request.run(() => this.#read({ number: blockIndex + 1, offset }))
        if (generation !== this.#generation) return
        if (!read && this.request.failure) return
        // A later request superseded this one, or the block begins elsewhere now.
        if (!read || additions !== this.#additions) continue
        this.#storeBlock(blockIndex, read)
        this.#dropDistantBlocks()
      }
    } finally {
      if (this.#reading === generation) this.#reading = null
    }
  }

  /** Returns the first missing block that is visible, or near; the next block if the end is near. */
  #nextMissingBlock(): { readonly blockIndex: number; readonly offset: number } | null {
    const { first, last } = this.#visible
    let offset = 0
    let near: { readonly blockIndex: number; readonly offset: number } | null = null
    for (const [blockIndex, { length, rows, stale }] of this.#blocks.entries()) {
      const end = offset + length
      if (rows === null || stale) {
        if (end > first && offset <= last) return { blockIndex, offset }
        if (rows === null && end > first - READ_AHEAD_ROWS && offset <= last + READ_AHEAD_ROWS)
          near ??= { blockIndex, offset }
      }
      offset = end
    }
    const endIsNear = this.hasMore && last + READ_AHEAD_ROWS >= offset
    return near ?? (endIsNear ? { blockIndex: this.#blocks.length, offset } : null)
  }

  #storeBlock(blockIndex: number, read: RowPage<Row>): void {
    const before = this.#blocks.slice(0, blockIndex)
    const following = this.#blocks.slice(blockIndex + 1)
    // A block of another length moves those that follow it.
    const isSameLength = this.#blocks[blockIndex]?.length === read.rows.length
    const after = isSameLength ? following : staleBlocks(following)
    const rows = this.#isRepetition(read.rows, before) ? [] : read.rows
    // A list that has become shorter ends here.
    const ends = !read.hasMore || rows.length === 0
    this.#blocks = [...before, blockOf(rows), ...(ends ? [] : after)]
    if (ends) this.hasMore = false
    else if (after.length === 0) this.hasMore = true
  }

  #isRepetition(rows: readonly Row[], before: readonly Block<Row>[]): boolean {
    if (this.#keyOf === null) return false
    return (
      newRows(
        before.flatMap((block) => block.rows ?? []),
        rows,
        this.#keyOf
      ).length === 0
    )
  }

  #dropDistantBlocks(): void {
    const { first, last, active } = this.#visible
    let offset = 0
    const blocks = this.#blocks.map((block) => {
      const start = offset
      offset += block.length
      const isNear = offset > first - KEPT_ROWS && start <= last + KEPT_ROWS
      const isActive = active >= start && active < offset
      return isNear || isActive || block.rows === null ? block : { ...block, rows: null }
    })
    if (blocks.some((block, blockIndex) => block !== this.#blocks[blockIndex])) this.#blocks = blocks
  }
}

const blockOf = <Row>(rows: readonly Row[]): Block<Row> => ({ length: rows.length, rows, stale: false })

const staleBlocks = <Row>(blocks: readonly Block<Row>[]): readonly Block<Row>[] =>
  blocks.map((block) => ({ ...block, stale: true }))

/** Returns the rows of a page that are not among those `before`: a list that grew in between repeats rows in its next page. */
export function newRows<Row>(
  before: readonly Row[],
  page: readonly Row[],
  keyOf: (row: Row) => string
): Row[] {
  const known = before.map(keyOf)
  return page.filter((row) => !known.includes(keyOf(row)))
}
