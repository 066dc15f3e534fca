import { fieldStep } from '#src/lower/reads.ts'
import { isObject, own, type Value } from '#src/values/value.ts'

/** Where a value may come from: a place of the followed data, such as `customer.email` or `items[].price`; the empty path is all of it. */
export interface Origin {
  readonly path: string
  /** Whether it comes from there in every run that uses it. */
  readonly sure: boolean
}

/** What is known of a value without running anything. */
export interface Traced {
  /** None for a value that the program made, or of which nothing is known. */
  readonly origins: readonly Origin[]
  /** Members that were set over those of the origins. */
  readonly members: ReadonlyMap<string, Traced>
  /** Whether it is an object that has `members` and nothing else. */
  readonly closed: boolean
  /** The value itself, if it is known. */
  readonly known?: { readonly value: Value }
}

/** A member that a value certainly does not have. */
export interface Absence {
  readonly name: string
  /** The value without it. */
  readonly of: Traced
}

/** What may still be followed, in steps; shared by all programs of one definition. */
export interface Budget {
  left: number
}

/** Members that are followed of one object. */
const membersMax = 50
/** Places that one value is followed to. */
const originsMax = 20
const pathCharactersMax = 500
/** Levels of members in which two values are compared. */
const levelsMax = 20

const noMembers: ReadonlyMap<string, Traced> = new Map()

export const unknown: Traced = { origins: [], members: noMembers, closed: false }

/** A member that an object is known not to have. */
export const absent: Traced = { ...unknown, known: { value: null } }

/** All of the followed data. */
export const followed: Traced = { origins: [{ path: '', sure: true }], members: noMembers, closed: false }

export function constant(value: Value): Traced {
  return { ...unknown, known: { value } }
}

export function objectOf(members: ReadonlyMap<string, Traced>, closed: boolean): Traced {
  return { origins: [], members, closed }
}

/** The member of an object, or of every element of a list if the name is undefined. */
export function memberOf(value: Traced, name: string | undefined): Traced {
  const { origins, members, closed, known } = value
  if (name !== undefined) {
    const set = members.get(name)
    if (set !== undefined) return set
    if (known !== undefined) return memberOfKnown(known.value, name)
    if (closed) return absent
  } else if (closed || known !== undefined || members.size > 0) return unknown
  const step = name === undefined ? '[]' : fieldStep(name)
  const below = origins.flatMap(({ path, sure }) => {
    if (path.length + step.length > pathCharactersMax) return []
    return [{ path: path === '' ? step.replace(/^\./, '') : path + step, sure }]
  })
  return below.length === 0 ? unknown : { ...unknown, origins: below }
}

/** A value that comes from the places of all others. */
export function fromAll(values: readonly Traced[]): Traced {
  const sure = new Map<string, boolean>()
  for (const { origins } of values) for (const origin of origins) sure.set(origin.path, origin.sure || sure.get(origin.path) === true)
  return { ...unknown, origins: Array.from(sure, ([path, isSure]) => ({ path, sure: isSure })).slice(0, originsMax) }
}

function memberOfKnown(value: Value, name: string): Traced {
  const member = isObject(value) ? own(value, name) : undefined
  return member === undefined ? absent : constant(member)
}

/** The same value where it is used in some runs only. */
export function unsure(value: Traced): Traced {
  if (value.origins.length === 0) return value
  return { ...value, origins: value.origins.map(({ path }) => ({ path, sure: false })) }
}

/** What is known of a value that is one of two. Values that share their parts have far more parts than were written, so that each costs a step. */
export function either(one: Traced, other: Traced, budget: Budget, level = 0): Traced {
  if (one === other) return one
  budget.left -= 1 + one.origins.length + other.origins.length
  if (level > levelsMax || budget.left <= 0) return unknown
  const sure = (path: string, { origins }: Traced) => origins.some((origin) => origin.path === path && origin.sure)
  const origins = fromAll([one, other]).origins.map(({ path }) => ({ path, sure: sure(path, one) && sure(path, other) }))
  const names = new Set([one, other].flatMap((value) => [...(membersOf(value) ?? value.members).keys()]))
  const members = new Map(Array.from(names, (name) => [name, either(memberOf(one, name), memberOf(other, name), budget, level + 1)]))
  return { origins, members, closed: membersOf(one) !== undefined && membersOf(other) !== undefined }
}

/** The left object with the members of the right one, as `+` gives it. */
export function merged(left: Traced, right: Traced, budget: Budget): Traced {
  const over = membersOf(right)
  if (left.members.size + right.members.size > membersMax) return unknown
  if (over !== undefined) return { ...open(left), members: new Map([...(membersOf(left) ?? left.members), ...over]) }
  const under = membersOf(left)
  // What is on the left is there where the right one has no such member.
  if (under !== undefined && right.origins.length > 0)
    return {
      ...right,
      members: new Map(Array.from(under, ([name, value]) => [name, either(unsure(memberOf(right, name)), value, budget)])),
    }
  return unknown
}

/** An object with one member set. */
export function withMember(value: Traced, name: string, member: Traced): Traced {
  const before = membersOf(value) ?? value.members
  if (before.size >= membersMax && !before.has(name)) return unknown
  return { ...open(value), members: new Map([...before, [name, member]]) }
}

/** Whether a value is an object that certainly has no such member. */
export function isWithout(value: Traced, name: string): boolean {
  return membersOf(value)?.has(name) === false
}

/** The names of all members of an object that has no others; undefined if that is not known, or if they are too many. */
export function memberNames(value: Traced): Iterable<string> | undefined {
  return membersOf(value)?.keys()
}

/** All members of an object that has no others; undefined if that is not known, or if they are too many. */
function membersOf({ closed, members, known }: Traced): ReadonlyMap<string, Traced> | undefined {
  if (known === undefined) return closed ? members : undefined
  return isObject(known.value) ? membersOfKnown(known.value) : undefined
}

const knownMembers = new WeakMap<object, ReadonlyMap<string, Traced> | undefined>()

function membersOfKnown(object: object): ReadonlyMap<string, Traced> | undefined {
  if (knownMembers.has(object)) return knownMembers.get(object)
  const entries = Object.entries(object)
  const members =
    entries.length > membersMax ? undefined : new Map(entries.map(([name, value]: [string, Value]) => [name, constant(value)]))
  knownMembers.set(object, members)
  return members
}

function open({ known, ...value }: Traced): Traced {
  return {
    ...value,
    closed: value.closed || (known !== undefined && (known.value === null || membersOf({ ...value, known }) !== undefined)),
  }
}
