/**
 * The least and the greatest of some ids, as two more parameters of a statement. Executions lie in partitions by id, and a generic plan can
 * exclude partitions by bounds, but not by an array. For no ids it is an empty range.
 */
export function idBounds(ids: readonly string[]): readonly [least: string, greatest: string] {
  let [least, greatest] = ['ffffffff-ffff-ffff-ffff-ffffffffffff', '00000000-0000-0000-0000-000000000000']
  for (const id of ids) {
    if (id < least) least = id
    if (id > greatest) greatest = id
  }
  return [least, greatest]
}
