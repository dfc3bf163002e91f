/** Where printing reports what a developer would want to know; no customer's name, no code, goes there. */
export interface Log {
  error(message: string, details?: unknown): void
}
