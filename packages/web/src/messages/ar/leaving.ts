import type { leaving as english } from '#src/messages/en/leaving.ts'

export const leaving: typeof english = {
  leaving: {
    title: 'في الطريق إلى الخارج',
    destination: 'الوجهة',
    destinations: { model: 'نموذج', connector: 'خدمة', webhook: 'خطاف ويب', mail: 'خادم بريد' },
    host: 'المضيف',
    region: 'البلد',
    regionHint: 'حرفان أو EU. الفراغ: خارج منطقة هذا التثبيت.',
    ask: 'هل يجوز خروجها؟',
    notAsked: 'يظهر القرار هنا: وفق الموافقة على النقل وتفضيلات الخصوصية، كما في التشغيل. ويُكتب في السجل.',
    decisions: { allow: 'يجوز خروجها', redact: 'تخرج محجوبة', refuse: 'لا يجوز خروجها' },
    restoreTitle: 'استعادة',
    encrypted: 'النص المحجوب',
    encryptedHint: 'بما حُجب بالتشفير. تُكتب الاستعادة في سجل التدقيق.',
    key: 'المفتاح',
    keyHint: '32 بايت بترميز base64 إن كان للحجب مفتاح. الفراغ: مفتاح الحساب.',
    restore: 'استعادة',
    nothingRestored: 'يظهر النص المستعاد هنا.',
    restored: (count) => (count === 0 ? 'لا شيء مشفّر فيه' : `الأجزاء المستعادة: ${count}`),
  },
}
