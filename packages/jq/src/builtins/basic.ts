import { deletePaths } from '#src/paths/remove.ts'
import { setPath } from '#src/paths/update.ts'
import { grow, scan, work, type Machine } from '#src/compile/machine.ts'
import { negate } from '#src/values/arithmetic.ts'
import { contains } from '#src/values/contains.ts'
import { describe, raise, raiseValue } from '#src/values/describe.ts'
import { compare } from '#src/values/compare.ts'
import { stringify } from '#src/values/json-text.ts'
import { parseJson } from '#src/values/json-parse.ts'
import { lengthOf } from '#src/values/length.ts'
import { parseNumberText } from '#src/values/number-text.ts'
import { isArray, isNumeric, toNumber, truthy, typeOf, type Value } from '#src/values/value.ts'
import { value, type NativeTable } from './native.ts'

/** A kept integer keeps all its digits; every other length is a double. */
function length(_machine: Machine, input: Value): Value {
  if (typeof input === 'bigint') return input < 0n ? -input : input
  return lengthOf(input)
}

function tonumber(machine: Machine, input: Value): Value {
  if (isNumeric(input)) return input
  if (typeof input === 'string') scan(machine, input.length * 2)
  const parsed = typeof input === 'string' ? parseNumberText(input) : undefined
  return parsed ?? raise(`${describe(input)} cannot be parsed as a number`)
}

function toboolean(_machine: Machine, input: Value): Value {
  if (typeof input === 'boolean') return input
  if (input === 'true' || input === 'false') return input === 'true'
  return raise(`${describe(input)} cannot be parsed as a boolean`)
}

function tojson(machine: Machine, input: Value): Value {
  return printed(machine, input)
}

/** JSON text; writing stops as soon as it exceeds the remaining size of the program. */
function printed(machine: Machine, input: Value): string {
  const text = stringify(input, machine.limits.size - machine.size)
  grow(machine, text.length)
  return text
}

function fromjson(machine: Machine, input: Value): Value {
  if (typeof input !== 'string') return raise(`${describe(input)} only strings can be parsed`)
  grow(machine, input.length)
  return parseJson(input)
}

/** Returns every value that is not below zero unchanged, whatever its type. */
function abs(_machine: Machine, input: Value): Value {
  return compare(input, 0) < 0 ? negate(input) : input
}

/** Values, types and paths. */
export const basicNatives: NativeTable = {
  'not/0': value((_machine, input) => !truthy(input)),
  'type/0': value((_machine, input) => typeOf(input)),
  'length/0': value(length),
  'contains/1': value((machine, input, part) => contains(machine, input, part)),
  'tostring/0': value((machine, input) => {
    if (typeof input === 'string') return input
    return printed(machine, input)
  }),
  'tonumber/0': value(tonumber),
  'toboolean/0': value(toboolean),
  'tojson/0': value(tojson),
  'fromjson/0': value(fromjson),
  'abs/0': value(abs),
  'error/0': value((_machine, input) => raiseValue(input)),
  'setpath/2': value((machine, input, path, replacement) => {
    grow(machine, isArray(path) ? path.length : 0)
    return setPath(input, path, replacement)
  }),
  'delpaths/1': value((machine, input, paths) => {
    work(machine, isArray(paths) ? paths.length : 0)
    return deletePaths(input, paths)
  }),
  'infinite/0': value(() => Number.POSITIVE_INFINITY),
  'nan/0': value(() => Number.NaN),
  'isinfinite/0': value((_machine, input) => numberCheck(input, (number) => Math.abs(number) === Infinity)),
  'isnan/0': value((_machine, input) => numberCheck(input, Number.isNaN)),
  'isnormal/0': value((_machine, input) => numberCheck(input, (number) => Number.isFinite(number) && Math.abs(number) >= 2 ** -1022)),
  'have_literal_numbers/0': value(() => true),
  'have_decnum/0': value(() => false),
}

function numberCheck(input: Value, check: (number: number) => boolean): boolean {
  return isNumeric(input) && check(toNumber(input))
}
