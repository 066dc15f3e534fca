/**
 * The least and the greatest of some ids, as two more parameters of a statement: executions lie in partitions by id, and a plan that is made once
 * for all can leave partitions out by bounds, but not by an array. Of no ids it is a range that holds nothing.
 */
export function idBounds(ids: readonly string[]): readonly [least: string, greatest: string] {
  let [least, greatest] = ['ffffffff-ffff-ffff-ffff-ffffffffffff', '00000000-0000-0000-0000-000000000000']
  for (const id of ids) {
    if (id < least) least = id
    if (id > greatest) greatest = id
  }
  return [least, greatest]
}
