import type { session as english } from '#src/messages/en/session.ts'

export const session: typeof english = {
  session: {
    signIn: 'تسجيل الدخول',
    signOut: 'تسجيل الخروج',
    continue: 'متابعة',
    register: 'أنشئ حسابًا',
    createAccount: 'إنشاء حساب',
    firstLede: 'أول حساب على هذا التثبيت.',
    registerLede: 'يبقى على هذا التثبيت وحده.',
    name: 'الاسم',
    email: 'البريد الإلكتروني',
    password: 'كلمة المرور',
    passwordHint: 'ثمانية أحرف على الأقل، أي أحرف، دون قواعد تُخمَّن.',
    passwordShort: (missing) => `ينقص ${missing}.`,
    passwordLong: (length) => `عدد الأحرف ${length}. لا يرفضها الخادم إلا إن كانت شائعة.`,
    noAccount: 'لا حساب بعد؟',
    haveAccount: 'لديك حساب؟',
    iOperate: 'أنا مشغّل هذا التثبيت',
    operatorCode: 'رمز المشغّل',
    registration: {
      invite: 'لا ينشئ حسابًا هنا إلا من تلقّى دعوة. اطلب دعوة من مدير فريقك؛ في رسالتها الرابط.',
      closed: 'لا يقبل هذا التثبيت مستخدمين جددًا. اسأل مشغّله.',
    },
    firstCodeHint: 'اختياري: طبعه الخادم عند بدايته. به تشغّل هذا التثبيت.',
    operatorCodeHint: 'طبعه الخادم عند بدايته. يعمل مرة واحدة.',
    ownMachine: 'يعمل على جهازك أنت.',
    version: (version) => `الإصدار ${version}.`,
    ended: 'انتهت جلستك',
    endedText: (email) => `سجّل الدخول من جديد باسم ${email}. تبقى الصفحة كما هي.`,
    otherUser: 'الدخول باسم شخص آخر',
  },
}
