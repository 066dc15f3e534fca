import { containerSize, grow } from '#src/compile/machine.ts'
import type { NativeName } from '#src/lower/ir.ts'
import { arrayNatives } from './arrays.ts'
import { basicNatives } from './basic.ts'
import { controlNatives } from './control.ts'
import { dateNatives } from './dates.ts'
import { entryNatives } from './entries.ts'
import { foldNatives } from './folds.ts'
import { generatorNatives } from './generators.ts'
import { mathNatives } from './math.ts'
import { value, type Native, type NativeTable } from './native.ts'
import { preludeNames } from './prelude.ts'
import { placeNatives } from './places.ts'
import { regexNatives } from './regex.ts'
import { stringNatives } from './strings.ts'

const builtins: NativeTable = {
  'builtins/0': value((machine) => {
    grow(machine, natives.size * containerSize)
    return [...natives.keys(), ...preludeNames()].filter((name) => !name.startsWith('_'))
  }),
}

const natives: ReadonlyMap<string, Native> = new Map(
  [
    basicNatives,
    entryNatives,
    stringNatives,
    arrayNatives,
    controlNatives,
    foldNatives,
    generatorNatives,
    mathNatives,
    placeNatives,
    dateNatives,
    regexNatives,
    builtins,
  ].flatMap((table) => Object.entries(table)),
)

export function hasNative(name: string, arity: number): boolean {
  return natives.has(`${name}/${arity}`)
}

export function findNative(name: NativeName): Native {
  const native = natives.get(name)
  if (native === undefined) throw new Error(`The resolver promised a built-in ${name}`)
  return native
}

/** Whether a built-in takes its input and the values of all its arguments, each evaluated on that input. */
export function isPlainNative(name: NativeName): boolean {
  return findNative(name).kind === 'value'
}

const numberMakers: ReadonlySet<string> = new Set([...Object.keys(mathNatives), 'nan/0', 'infinite/0', 'fromjson/0', 'tonumber/0'])

/** Whether a built-in can give NaN, an infinity or a kept integer that it was not given. */
export function makesNumbers(name: NativeName): boolean {
  return numberMakers.has(name)
}

export function nativeNames(): readonly string[] {
  return [...natives.keys()]
}
