import { localeOf, tableOf, wordsOf } from '../words/language.js';

/** The texts of the page around the lists, in the languages of the element. */
export const tables = {
  en: {
    lists: 'Lists', back: 'All lists', choose: 'Choose a list.', none: 'This server has no lists yet.',
    asOf: 'Offline · lists as of #', unread: 'The lists could not be read (#).',
    unreachable: 'The server can’t be reached. Trying again…',
    notify: 'Notify me of new rows', blocked: 'Notifications are blocked. Allow them for this page in the browser’s settings.',
    notNotified: 'Notifications could not be turned on or off.',
  },
  de: {
    lists: 'Listen', back: 'Alle Listen', choose: 'Wähle eine Liste.', none: 'Dieser Server hat noch keine Listen.',
    asOf: 'Offline · Listen: #', unread: 'Die Listen konnten nicht gelesen werden (#).',
    unreachable: 'Der Server ist nicht erreichbar. Neuer Versuch läuft …',
    notify: 'Bei neuen Einträgen benachrichtigen', blocked: 'Mitteilungen sind blockiert. Erlaube sie für diese Seite in den Einstellungen des Browsers.',
    notNotified: 'Mitteilungen ließen sich nicht ein- oder ausschalten.',
  },
  fr: {
    lists: 'Listes', back: 'Toutes les listes', choose: 'Choisissez une liste.', none: 'Ce serveur n’a pas encore de liste.',
    asOf: 'Hors ligne · listes : #', unread: 'Impossible de lire les listes (#).',
    unreachable: 'Le serveur est injoignable. Nouvelle tentative…',
    notify: 'M’avertir des nouveaux éléments', blocked: 'Les notifications sont bloquées. Autorisez-les pour cette page dans les réglages du navigateur.',
    notNotified: 'Impossible d’activer ou de désactiver les notifications.',
  },
  es: {
    lists: 'Listas', back: 'Todas las listas', choose: 'Elige una lista.', none: 'Este servidor aún no tiene listas.',
    asOf: 'Sin conexión · listas: #', unread: 'No se pudieron leer las listas (#).',
    unreachable: 'No se pudo conectar con el servidor. Reintentando…',
    notify: 'Avisarme de elementos nuevos', blocked: 'Las notificaciones están bloqueadas. Permítelas para esta página en los ajustes del navegador.',
    notNotified: 'No se pudieron activar o desactivar las notificaciones.',
  },
  ja: {
    lists: 'リスト', back: 'すべてのリスト', choose: 'リストを選んでください。', none: 'このサーバーにはまだリストがありません。',
    asOf: 'オフライン・リスト：#', unread: 'リストを読み込めませんでした（#）。',
    unreachable: 'サーバーに接続できません。再試行しています…',
    notify: '新着を通知する', blocked: '通知がブロックされています。ブラウザーの設定でこのページに許可してください。',
    notNotified: '通知を切り替えられませんでした。',
  },
  zh: {
    lists: '列表', back: '所有列表', choose: '请选择列表。', none: '此服务器还没有列表。',
    asOf: '已离线 · 列表更新于#', unread: '无法读取列表（#）。',
    unreachable: '无法连接服务器。正在重试…',
    notify: '有新内容时通知我', blocked: '通知已被阻止。请在浏览器设置中允许此页面发送通知。',
    notNotified: '无法开启或关闭通知。',
  },
  hant: {
    lists: '列表', back: '所有列表', choose: '請選擇列表。', none: '此伺服器還沒有列表。',
    asOf: '已離線 · 列表更新於#', unread: '無法讀取列表（#）。',
    unreachable: '無法連線伺服器。正在重試…',
    notify: '有新內容時通知我', blocked: '通知已被封鎖。請在瀏覽器設定中允許此頁面傳送通知。',
    notNotified: '無法開啟或關閉通知。',
  },
  ar: {
    lists: 'القوائم', back: 'كل القوائم', choose: 'اختر قائمة.', none: 'لا توجد قوائم على هذا الخادم بعد.',
    asOf: 'غير متصل · القوائم: #', unread: 'تعذّرت قراءة القوائم (#).',
    unreachable: 'تعذّر الوصول إلى الخادم. جارٍ إعادة المحاولة…',
    notify: 'أعلِمني بالعناصر الجديدة', blocked: 'الإشعارات محظورة. اسمح بها لهذه الصفحة في إعدادات المتصفح.',
    notNotified: 'تعذّر تشغيل الإشعارات أو إيقافها.',
  },
};

/** Lets a page speak the browser's language. @returns {Promise<object>} its words, and those of the lists */
export async function translate({ documentElement }) {
  documentElement.lang = '';
  const locale = localeOf(documentElement);
  const words = { ...(await wordsOf(locale)), ...tableOf(locale, tables) };
  documentElement.lang = locale;
  documentElement.dir = locale.startsWith('ar') ? 'rtl' : 'ltr';
  return words;
}
