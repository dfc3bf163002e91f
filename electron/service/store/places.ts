/**
 * Places of customers: the business and the order of registration in one number. So the customers of a business are
 * one unbroken run of numbers: a page is read without counting through the pages before it, and the search index
 * keeps businesses apart by number alone. It holds because customers are never removed.
 */
import type { BusinessNumber } from './businesses.ts'

/** Customers that a business has room for. */
const room = 2 ** 32

/** The place of the first customer of `business` after `count` others. */
export const placeAfter = (business: BusinessNumber, count: number): number => business * room + count + 1

/** The last place that a customer of `business` can have. */
export const lastPlace = (business: BusinessNumber): number => (business + 1) * room
