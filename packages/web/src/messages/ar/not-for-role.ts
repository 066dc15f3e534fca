import type { notForRole as english } from '#src/messages/en/not-for-role.ts'

export const notForRole: typeof english = {
  title: 'دورك لا يشمل هذه الصفحة',
  roles: (names) => `هي لمن له أحد هذه الأدوار: ${new Intl.ListFormat('ar', { type: 'disjunction' }).format(names)}.`,
  own: (name) => `دورك هو: ${name}.`,
  ask: 'يمكن لمدير في الحساب أن يعطيك دورًا آخر.',
  operators: 'هي لمن يشغّل هذا التثبيت.',
}
