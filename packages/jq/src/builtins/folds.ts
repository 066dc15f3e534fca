import { fieldSize, grow, scan, tick, work, type Machine } from '#src/compile/machine.ts'
import { add } from '#src/values/arithmetic.ts'
import { stringify } from '#src/values/json-text.ts'
import { putFields } from '#src/values/fields.ts'
import { isArray, isObject, orNull, put, type MutableObject, type Value } from '#src/values/value.ts'
import { arg, type ControlNative, type NativeTable } from './native.ts'

/** The partial result of a fold, which the fold owns and may change in place. */
type Gathered =
  | { readonly kind: 'text'; readonly pieces: string[] }
  | { readonly kind: 'list'; readonly list: Value[] }
  | { readonly kind: 'object'; readonly object: MutableObject }

function gather(machine: Machine, first: Value): Gathered | undefined {
  if (typeof first === 'string') return { kind: 'text', pieces: [first] }
  if (isArray(first)) {
    grow(machine, first.length)
    return { kind: 'list', list: first.slice() }
  }
  return first !== null && isObject(first) ? { kind: 'object', object: putFields({}, first) } : undefined
}

/** Puts one more value of the same kind in; `false` when it is of another kind. */
function extend(machine: Machine, gathered: Gathered, item: Value): boolean {
  if (gathered.kind === 'text' && typeof item === 'string') {
    grow(machine, item.length + 1)
    gathered.pieces.push(item)
  } else if (gathered.kind === 'list' && isArray(item)) {
    grow(machine, item.length)
    pushAll(machine, gathered.list, item)
  } else if (gathered.kind === 'object' && isObject(item)) putFields(gathered.object, item)
  else return false
  return true
}

function pushAll(machine: Machine, list: Value[], items: readonly Value[]): void {
  for (let at = 0; at < items.length; at++) {
    if ((at & 4_095) === 0) scan(machine, Math.min(4_096, items.length - at))
    list.push(orNull(items[at]))
  }
}

function finished(gathered: Gathered): Value {
  if (gathered.kind === 'text') return gathered.pieces.join('')
  return gathered.kind === 'list' ? gathered.list : gathered.object
}

/**
 * `add(f)`: the sum of all outputs, null without outputs. Arrays, objects and strings are collected, where one addition after
 * the other would copy everything so far each time.
 */
const addAll: ControlNative = {
  kind: 'control',
  many: (compiler, args) => {
    const { machine } = compiler
    const source = compiler.many(arg(args, 0))
    return (input, env, emit) => {
      let sum: Value = null
      let gathered: Gathered | undefined
      source(input, env, (item) => {
        tick(machine)
        if (item === null) return false
        gathered ??= gather(machine, sum)
        if (gathered !== undefined && extend(machine, gathered, item)) return false
        sum = add(machine, gathered === undefined ? sum : finished(gathered), item)
        gathered = undefined
        return false
      })
      return emit(gathered === undefined ? sum : finished(gathered))
    }
  },
}

/** `INDEX(stream; f)`: each output of the stream under each of its keys, the last one where keys are the same. */
const indexBy: ControlNative = {
  kind: 'control',
  many: (compiler, args) => {
    const { machine } = compiler
    const source = compiler.many(arg(args, 0))
    const keys = compiler.many(arg(args, 1))
    return (input, env, emit) => {
      const object: MutableObject = {}
      source(input, env, (row) =>
        keys(row, env, (key) => {
          tick(machine)
          const text = typeof key === 'string' ? key : stringify(key, machine.limits.size - machine.size)
          work(machine, 1)
          grow(machine, text.length + fieldSize)
          put(object, text, row)
          return false
        }),
      )
      return emit(object)
    }
  },
}

/** Built-ins that put all outputs of a stream together. */
export const foldNatives: NativeTable = {
  'add/1': addAll,
  'INDEX/2': indexBy,
}
