import type { Compiler, EmitAt, Paths, Track } from '#src/compile/code.ts'
import type { Machine } from '#src/compile/machine.ts'
import { loseForGood, stepInto } from '#src/compile/track.ts'
import type { Ir } from '#src/lower/ir.ts'
import { index, indexesOf, slice } from '#src/paths/access.ts'
import { isArray, orNull, type Value } from '#src/values/value.ts'
import { arg, defined, type NativeTable, type ValueNative } from './native.ts'
import { stringIndexes } from './strings.ts'

/** The key by which a value is searched in an input: an array in an array, otherwise the value itself. */
function accessKey(input: Value, wanted: Value): Value {
  return isArray(input) && !isArray(wanted) ? [wanted] : wanted
}

function indices(machine: Machine, input: Value, wanted: Value): Value {
  if (typeof input === 'string' && typeof wanted === 'string') return stringIndexes(machine, input, wanted)
  return isArray(input) && isArray(wanted) ? indexesOf(input, wanted) : index(input, accessKey(input, wanted))
}

const lastOne: Value = { start: -1, end: null }

/** jq defines the three by accesses, so that they have paths: of the places, and of one of them. */
function placed(run: ValueNative['run'], follow: (track: Track, places: Value, emit: EmitAt) => boolean): ValueNative {
  return { ...defined(run), paths: (compiler, args) => placePaths(compiler, args, follow) }
}

function placePaths(compiler: Compiler, args: readonly Ir[], follow: (track: Track, places: Value, emit: EmitAt) => boolean): Paths {
  const wanted = compiler.many(arg(args, 0))
  const { machine } = compiler
  return (track, input, env, emit) =>
    wanted(input, env, (value) => {
      if (typeof input === 'string' && typeof value === 'string') return follow(loseForGood(track), indices(machine, input, value), emit)
      const key = accessKey(input, value)
      return follow(stepInto(track, input, key), index(input, key), emit)
    })
}

/** `indices`, and the first or last of them. */
export const placeNatives: NativeTable = {
  'indices/1': placed(indices, (track, places, emit) => emit(track, places)),
  'index/1': placed(
    (machine, input, wanted) => {
      // The first place is enough; the general way would look for all of them.
      if (isArray(input) && !isArray(wanted)) return orNull(indexesOf(input, [wanted], 1)[0])
      return index(indices(machine, input, wanted), 0)
    },
    (track, places, emit) => emit(stepInto(track, places, 0), index(places, 0)),
  ),
  'rindex/1': placed(
    (machine, input, wanted) => index(slice(indices(machine, input, wanted), -1, null), 0),
    (track, places, emit) => {
      const last = slice(places, -1, null)
      return emit(stepInto(stepInto(track, places, lastOne), last, 0), index(last, 0))
    },
  ),
}
