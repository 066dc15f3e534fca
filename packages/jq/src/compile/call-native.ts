import { findNative } from '#src/builtins/natives.ts'
import type { ValueNative } from '#src/builtins/native.ts'
import type { Ir } from '#src/lower/ir.ts'
import type { Value } from '#src/values/value.ts'
import type { Compiler, Emit, Env, Many, One, Paths } from './code.ts'
import type { Machine } from './machine.ts'
import { lose, loseForGood } from './track.ts'

type NativeIr = Extract<Ir, { kind: 'native' }>

export function nativeOne(compiler: Compiler, ir: NativeIr): One {
  const native = findNative(ir.name)
  if (native.kind === 'value') return valueOne(compiler.machine, native, ir.args.map(compiler.one))
  if (native.one !== undefined) return native.one(compiler, ir.args)
  const many = native.many(compiler, ir.args)
  return (input, env) => {
    let result: Value | undefined
    many(input, env, (value) => {
      result = value
      return true
    })
    return result
  }
}

function valueOne(machine: Machine, { run, outermost }: ValueNative, args: readonly One[]): One {
  const [first, second, third] = args
  if (first === undefined) return (input) => run(machine, input, null, null, null)
  if (second === undefined) {
    return (input, env) => {
      const a = first(input, env)
      return a === undefined ? undefined : run(machine, input, a, null, null)
    }
  }
  return (input, env) => {
    // Which argument is evaluated first only shows in which of two errors is seen.
    const early = outermost === 'first' ? first(input, env) : third === undefined ? null : third(input, env)
    const b = early === undefined ? undefined : second(input, env)
    const late = b === undefined ? undefined : outermost === 'first' ? (third === undefined ? null : third(input, env)) : first(input, env)
    if (early === undefined || b === undefined || late === undefined) return undefined
    return outermost === 'first' ? run(machine, input, early, b, late) : run(machine, input, late, b, early)
  }
}

export function nativeMany(compiler: Compiler, ir: NativeIr): Many {
  const native = findNative(ir.name)
  if (native.kind === 'control') return native.many(compiler, ir.args)
  const { run, outermost } = native
  const { machine } = compiler
  const args = ir.args.map(compiler.many)
  const order = args.map((_arg, at) => at)
  if (outermost === 'last') order.reverse()
  return (input, env, emit) => {
    const values: Value[] = args.map(() => null)
    const from = (step: number): boolean => {
      const position = order[step]
      const code = position === undefined ? undefined : args[position]
      if (position === undefined || code === undefined) {
        return emit(run(machine, input, values[0] ?? null, values[1] ?? null, values[2] ?? null))
      }
      return code(input, env, (value) => {
        values[position] = value
        return from(step + 1)
      })
    }
    return from(0)
  }
}

/** Built-ins that in jq can give the very value they were given; what others make is new even when it looks the same. */
const handsBack: ReadonlySet<string> = new Set([
  'tostring/0',
  'abs/0',
  'trim/0',
  'ltrim/0',
  'rtrim/0',
  'ltrimstr/1',
  'rtrimstr/1',
  'trimstr/1',
  'toarray/0',
  'tonumber/0',
  'setpath/2',
  'delpaths/1',
])

export function nativePaths(compiler: Compiler, ir: NativeIr): Paths {
  const native = findNative(ir.name)
  if (native.paths !== undefined) return native.paths(compiler, ir.args)
  const many = ir.count === 'many' ? nativeMany(compiler, ir) : asMany(nativeOne(compiler, ir))
  const keeps = handsBack.has(ir.name)
  return (track, input, env, emit) =>
    many(input, env, (value) => {
      const forgivable = keeps || value === null || typeof value === 'boolean'
      return emit(forgivable ? lose(track, input) : loseForGood(track), value)
    })
}

/** A node with at most one output as a stream. */
export function asMany(one: One): Many {
  return (input: Value, env: Env, emit: Emit) => {
    const value = one(input, env)
    return value === undefined ? false : emit(value)
  }
}
