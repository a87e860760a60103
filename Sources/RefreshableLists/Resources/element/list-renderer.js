var C='[command="--refresh"]',Z=new WeakMap;"commandForElement"in HTMLButtonElement.prototype||addEventListener("click",r=>{let[t]=r.composedPath(),e=t.closest?.(`${C}[commandfor]:enabled`);e?.getRootNode().getElementById(e.getAttribute("commandfor"))?.dispatchEvent(Object.assign(new Event("command"),{command:"--refresh"}))});function G({target:r},t){let e=r instanceof Element&&r.closest(`${C}:not([commandfor])`);return Boolean(e)&&!e.disabled&&e.closest(t.localName)===t}function J(r,t){let e=Z.get(r)??new Set;Z.set(r,e);for(let n of t?e:[...ut(r),...ft(r)])n.disabled||e.add(n),n.disabled=!t;t&&e.clear()}function ut(r){return[...r.querySelectorAll(`${C}:not([commandfor])`)].filter(e=>e.closest(r.localName)===r)}function ft(r){return r.id?r.getRootNode().querySelectorAll(`${C}[commandfor="${CSS.escape(r.id)}"]`):[]}var mt=matchMedia("(prefers-reduced-motion: reduce)"),I=()=>mt.matches,z=()=>I()?"auto":"smooth";var gt=new Set(["svg","path","circle","rect"]);function l(r,t={},...e){let n=gt.has(r)?document.createElementNS("http://www.w3.org/2000/svg",r):document.createElement(r);for(let i of Object.keys(t))n.setAttribute(i,`${t[i]}`);return n.append(...e),n}var D=(r,...t)=>l("svg",{viewBox:`0 0 ${r} ${r}`,"aria-hidden":"true"},...t.map(e=>l("path",{d:e}))),P=(r,...t)=>l("button",{part:r,type:"button"},...t);function H(r){let t=new CSSStyleSheet;return t.replaceSync(r),t}var bt=260,Xt=H(`
:host {
  --rl-accent: var(--refreshable-accent, light-dark(#076750, #4fd3ad));
  --rl-danger: var(--refreshable-danger, light-dark(#b3261e, #ffb1a8));
  --rl-warning: var(--refreshable-warning, light-dark(#8a5700, #f2c46d));
  --rl-background: var(--refreshable-background, Canvas);
  --rl-surface: var(--refreshable-surface, color-mix(in srgb, currentColor 4%, transparent));
  --rl-quiet: color-mix(in srgb, currentColor 64%, transparent);
  --rl-line: color-mix(in srgb, currentColor 11%, transparent);
  --rl-gutter: var(--refreshable-gutter, 16px);
  --rl-radius: var(--refreshable-radius, 16px);
  display: flex; flex-direction: column; position: relative; line-height: 1.35; -webkit-tap-highlight-color: transparent;
  overflow-wrap: anywhere;
}
:host([hidden]), [hidden] { display: none !important; }
* { box-sizing: border-box; margin: 0; }
svg { fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; flex: none; }
button { font: inherit; color: inherit; border: 0; background: none; cursor: pointer; touch-action: manipulation; }
button:focus-visible, a:focus-visible { outline: 2px solid var(--rl-accent); outline-offset: 2px; }
h2:focus, .row:focus { outline: none; }
.visually-hidden {
  position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%);
  white-space: nowrap; inset-block-start: 0;
}

[part=bar] { position: sticky; inset-block-start: 0; z-index: 2; container-type: inline-size; }
.bar-content {
  position: relative; z-index: 1; display: flex; align-items: center; gap: 4px;
  padding-block: calc(8px + var(--refreshable-inset-top, 0px)) 8px;
  padding-inline: var(--rl-gutter) calc(var(--rl-gutter) - 8px);
  min-block-size: 64px;
  background: color-mix(in srgb, var(--rl-background) 86%, transparent);
  -webkit-backdrop-filter: blur(18px); backdrop-filter: blur(18px);
}
.titles { flex: 1; min-inline-size: 0; }
[part=heading] {
  font-size: 1.375rem; font-weight: 700; letter-spacing: -.021em; white-space: nowrap;
  overflow: hidden; text-overflow: ellipsis;
  unicode-bidi: plaintext; text-align: -webkit-match-parent; text-align: match-parent;
}
[part=updated] {
  font-size: .8125rem; color: var(--rl-quiet); font-variant-numeric: tabular-nums; min-block-size: 1.35em;
  white-space: nowrap; overflow: hidden; text-overflow: ellipsis;
}
:host([stale]) [part=updated] { color: var(--rl-warning); }
:host([stale]) [part=updated]:not(:empty)::before {
  content: ''; display: inline-block; border: 3px solid; border-radius: 50%; margin-inline-end: .5em; vertical-align: .08em;
}
/* Large letters on a small screen: the words below the buttons. */
@container (max-width: 19rem) {
  .bar-content { flex-wrap: wrap; }
  [part=cancel] { margin-inline-start: auto; }
  [part=cancel][hidden] + [part=refresh] { margin-inline-start: auto; }
  .titles { flex: 1 0 100%; order: 1; }
  [part=heading], [part=updated] { white-space: normal; }
}
[part=refresh], [part=search] {
  inline-size: 44px; block-size: 44px; border-radius: 50%; display: grid; place-items: center;
  color: var(--rl-accent); transition: background .15s, opacity .15s;
}
:is([part=refresh], [part=search]) svg { inline-size: 24px; block-size: 24px; }
[part=refresh]:disabled { color: var(--rl-quiet); opacity: .45; cursor: default; }
[part=cancel], [part=retry] {
  min-block-size: 44px; padding-inline: 12px; border-radius: 22px; color: var(--rl-accent); font-weight: 600;
  font-size: .9375rem;
}
@media (hover: hover) { button:hover:enabled { background: color-mix(in srgb, var(--rl-accent) 12%, transparent); } }
button:active:enabled { background: color-mix(in srgb, var(--rl-accent) 20%, transparent); }

.gap { position: absolute; inset: 100% 0 auto; block-size: ${bt}px; overflow: clip; pointer-events: none; }
.indicator { visibility: hidden; }
[part=content] { flex: 1 0 auto; padding-block-end: calc(24px + env(safe-area-inset-bottom, 0px)); }
[part=rows], [part=skeleton], ::slotted([slot=rows]), [inert] { list-style: none; padding: 0; margin: 0 var(--rl-gutter); }
[part=rows], [part=skeleton] { background: var(--rl-surface); border-radius: var(--rl-radius); }
[part=skeleton] {
  mask-image: linear-gradient(#000, #0003); animation: breathe 1.6s ease-in-out infinite alternate;
}
[part=skeleton] p { display: grid; gap: 9px; align-content: center; block-size: 65px; padding-inline: 16px; }
[part=skeleton] i { inline-size: 62%; block-size: 12px; border-radius: 6px; background: var(--rl-line); }
[part=skeleton] :nth-child(even) i { inline-size: 44%; }
[part=skeleton] i + i { inline-size: 28% !important; block-size: 10px; }
@keyframes breathe { to { opacity: .45; } }
[part=rows]:not(:empty) ~ slot [part=skeleton] { margin-block-start: 12px; }
[part=rows]:not(:empty) ~ slot [part=skeleton] p:nth-child(n + 3) { display: none; }

@media (prefers-reduced-motion: reduce) { [part=skeleton] { animation: none; } }
@media (forced-colors: active) {
  :host { --rl-accent: CanvasText; --rl-danger: CanvasText; }
  .bar-content { background: Canvas; }
  button, [part=rows]:not(:empty), [part=skeleton], [part=skeleton] i { border: 1px solid; }
}
`);function p(r,t){r.textContent!==t&&(r.textContent=t)}var wt=()=>l("slot",{name:"error"},l("div",{part:"error"},D(24,"M12 3a9 9 0 1 1-.01 0Z","M12 7.5v5.4m0 3.3v.1"),l("p",{},l("strong",{"data-field":"title"}),l("span",{"data-field":"message"})),P("retry"),l("slot",{name:"unknown"}))),xt=()=>l("div",{part:"empty"},D(48,"M16 7h16a7 7 0 0 1 7 7v20a7 7 0 0 1-7 7H16a7 7 0 0 1-7-7V14a7 7 0 0 1 7-7Z","M17 17h14M17 24h14M17 31h8"),l("strong"),l("span"),P("retry")),E=class{#e=wt();#t=xt();#n=[l("slot",{name:"empty"}),l("slot",{name:"offline"})];#r;more=l("div",{part:"more"},l("span"),l("button",{type:"button"}));constructor({content:t,rows:e},n){this.more.hidden=!0,t.querySelector("slot").after(this.#e),e.after(this.more,...this.#n),this.#r=[this.#e,this.#t].map(i=>i.querySelector("button"));for(let i of this.#r)i.addEventListener("click",n)}name({retry:t}){for(let e of this.#r)p(e,t)}paint(t,e,n,i){this.#e.hidden=!t,this.#r[0].hidden=Boolean(t?.isFinal),this.#e.querySelector("[name=unknown]").hidden=!t?.isUnknown;for(let o of t?this.#e.assignedElements({flatten:!0}):[])for(let s of o.querySelectorAll("[data-field]"))p(s,t[s.dataset.field]??"");for(let o of this.#n)o.hidden=o.name!==e,!o.hidden&&!o.firstChild&&o.append(this.#t);this.#r[1].hidden=e!=="offline",e&&(p(this.#t.querySelector("strong"),n),p(this.#t.querySelector("span"),i))}};var U="refreshable-found",N=class{#e;#t;#n;#r=l("input",{type:"search",part:"find",enterkeyhint:"search",autocomplete:"off",spellcheck:"false"});#o=l("div",{class:"find"},this.#r);#i=[];#s=[];constructor(t,e,n){this.#e=t,this.#t=e,this.#n=n,this.#o.hidden=!0,e.bar.querySelector(".bar-content").after(this.#o),e.search.addEventListener("click",()=>this.#c(this.#a===null?"":null)),t.addEventListener("keydown",i=>this.#l(i)),this.#r.addEventListener("input",()=>this.#c(this.#r.value)),this.#r.addEventListener("keydown",i=>{i.key==="Escape"&&(i.preventDefault(),this.#c(null))})}update(){let t=this.#a;this.#o.hidden=t===null,this.#r.placeholder=this.#r.ariaLabel=this.#n.words.find,t!==null&&this.#r.value!==t&&(this.#r.value=t),this.#i=(t??"").toLocaleLowerCase().split(/\s+/).filter(Boolean)}get isFinding(){return this.#i.length>0}get isOffered(){return this.#d&&Boolean(this.#n.watch?.replica.count||this.#a!==null)}filter(t){return this.#i.length?t.filter(({key:e,fields:n})=>{let i=Object.values({key:e,...n}).flat().join(`
`).toLocaleLowerCase();return this.#i.every(o=>i.includes(o))}):t}mark(t){if(!("Highlight"in globalThis))return;this.unmark();for(let n of this.#i.length?yt(t):[])this.#s.push(...this.#p(n));let e=CSS.highlights.get(U)??new Highlight;for(let n of this.#s)e.add(n);CSS.highlights.set(U,e)}unmark(){for(let t of this.#s)CSS.highlights.get(U).delete(t);this.#s=[]}get#a(){return this.#e.getAttribute("query")}get#d(){return this.#e.hasAttribute("find")}#l(t){let[e]=t.composedPath();t.key!=="/"||t.defaultPrevented||!this.#d||e.matches?.("input, textarea, select, [contenteditable]")||(t.preventDefault(),this.#c(this.#a??""))}#c(t){t===null?this.#e.removeAttribute("query"):this.#e.setAttribute("query",t),(t===null?this.#t.search:this.#r).focus(),this.#n.fire("find",{query:t})}*#p(t){let e=t.data.toLocaleLowerCase();for(let n of e.length===t.length?this.#i:[])for(let i=e.indexOf(n);i>=0;i=e.indexOf(n,i+n.length)){let o=new Range;o.setStart(t,i),o.setEnd(t,i+n.length),yield o}}};function*yt(r){let t=document.createTreeWalker(r,NodeFilter.SHOW_TEXT);for(;t.nextNode();)yield t.currentNode}function A(r){if(typeof r!="number"&&typeof r!="string")return null;let t=new Date(/^\d{11,}$/.test(r)?Number(r):r).getTime();return Number.isNaN(t)?null:t}var vt=/^data-field-(?!on|style$|srcdoc$)(.+)/,kt=/src|href|action|^(poster|data)$/,L={role:"button",tabindex:0,"aria-expanded":"false"},K=document.createElement("template");K.content.append(l("li",{class:"row",part:"row"},l("img",{part:"image",alt:"","data-field-src":"image"}),l("a",{part:"title",target:"_blank",rel:"noopener noreferrer","data-field":"title|key","data-field-href":"link"}),...["subtitle","badge","detail"].map(r=>l("span",{part:r,"data-field":r})),l("time",{part:"time","data-field":"time"})));var St=24,Ct=18,zt=48,m=class{#e;#t;constructor({content:t},e){let[n,i]=t.children,o=n?.localName==="li"&&!i,s=this.#e=t.ownerDocument.createElement(e);for(let{name:a,value:c}of o?n.attributes:[])s.setAttribute(a,c);s.append(...(o?n:t).cloneNode(!0).childNodes),this.#t=X(s).map(Lt)}make(t=!0){let e=document.importNode(this.#e,t);return{item:e,pieces:X(e)}}draw({item:t,pieces:e},{key:n,fields:i},o){let s={key:n,...i};e.forEach((a,c)=>this.#t[c].forEach(d=>d(a,s,o))),t.dataset.key=n}},v=class extends m{constructor(t){super(K,t)}make(){return super.make(!1)}draw({item:t},e,n){t.dataset.broken&&At(t);let i=super.make().pieces.map(c=>t.querySelector(`[part=${c.part}]`)??c);super.draw({item:t,pieces:i},e,n);let o=[],s=null,a=!1;for(let c of i.slice(1)){if(!c.textContent&&!c.src){c.remove();continue}c.parentNode!==t&&t.insertBefore(c,s?s.nextSibling:t.firstChild),s=c,o.push(c.part.value),c.href&&o.push("link"),o.at(-1)==="detail"&&c.textContent.length>St&&o.push("prose"),c.textContent.length>Ct&&(a=!0)}a&&o.push("long"),Nt(e.fields)?o.push(Et(t,i[2],n)):t.dataset.parts?.match(/opens|disclosure/)&&Q(t,i[2]),t.dataset.parts=o.join(" ")}};function Et(r,t,e){if(!t.href){Q(r,t);for(let n of Object.keys(L))t.setAttribute(n,L[n]);return"opens"}for(let n of Object.keys(L))t.removeAttribute(n);return r.querySelector("[part=disclosure]")||r.append(l("button",{part:"disclosure",type:"button","aria-expanded":"false","aria-label":e.details})),"disclosure"}function Q(r,t){for(let e of Object.keys(L))t.removeAttribute(e);r.querySelector("[part=disclosure]")?.remove()}var Y=r=>r.length<=12;function Nt({title:r="",subtitle:t="",badge:e="",detail:n="",link:i,image:o,time:s,...a}){return[r,t].some(d=>d.length>zt)||[e,n].some(d=>!Y(`${d}`))||Boolean(!i&&(o||s))||Object.keys(a).length>0}function tt(r){r.parentNode.dataset.broken="image",r.replaceWith(l("span",{part:"image"}))}function At(r){r.querySelector("span[part=image]").remove(),delete r.dataset.broken}var M=r=>r.querySelector(":scope > template");function W(r,{ago:t,full:e}){let n=Date.parse(r.dateTime);p(r,t(n)),r.title=e(n)}var X=r=>[r,...r.querySelectorAll(":not(script, style)")];function Lt(r){return r.localName==="img"&&!r.hasAttribute("loading")&&(r.loading="lazy"),[...r.attributes].flatMap(({name:t,value:e})=>{let n=Ot(r,t,vt.exec(t)?.[1]),i=e.split("|"),o=s=>i.map(a=>Mt(s,a)).find(a=>(a??"")!=="");return n?[(s,a,c)=>n(s,o(a),c)]:[]})}function Mt(r,t){return r[t]??t.split(".").reduce((e,n)=>e?.[n],r)}function Ot(r,t,e){return t==="data-field"?Tt(r.textContent):t==="data-if"||t==="data-unless"?Rt(t==="data-if"):e&&Bt(e,r.getAttribute(e))}var Tt=r=>(t,e,n)=>{let i=t.localName==="time"?A(e):null,o=t.localName==="data"&&typeof e=="number";if(t.removeAttribute("datetime"),o&&(t.value=e),i===null)return p(t,o?n.number(e):g(e)||r);t.dateTime=new Date(i).toISOString(),W(t,n)},Rt=r=>(t,e)=>{let n=Boolean(e)&&e.length!==0;t.style.display=n===r?"":"none"},Bt=(r,t)=>(e,n)=>{let o=!(n===!1&&!r.startsWith("aria-"))&&(kt.test(r)?O:g)(n)||t;o===null?e.removeAttribute(r):e.getAttribute(r)!==o&&e.setAttribute(r,o)};function g(r){return["string","number","boolean"].includes(typeof r)?String(r):""}function O(r){if(!r||typeof r!="string"||!URL.canParse(r,document.baseURI))return"";let t=new URL(r,document.baseURI);return/^https?:$/.test(t.protocol)?t.href:""}var qt="a[href], button, input, select, [part=details], [slot=details]",T=class{#e;#t;#n;#r=l("div",{class:"details-own"});#o=l("div",{part:"details"},l("slot",{name:"details"},this.#r));#i=null;#s=null;constructor(t,e,n){this.#e=t,this.#t=e,this.#n=n,t.addEventListener("click",i=>this.#h(i)),t.addEventListener("keydown",i=>this.#u(i))}open(){this.update(),this.#i?.scrollIntoView({block:"nearest",behavior:z()})}update(){let t=this.#a,e=t===null?void 0:this.#n(t),n=e&&this.#t.watch?.replica.rows.find(i=>i.key===t);n?this.#d(e,n):this.#l()}get#a(){return this.#e.getAttribute("open-row")}#d(t,e){let{words:n}=this.#t;t!==this.#i&&this.#l(),this.#i=t,this.#c(!0),t.getRootNode()!==this.#e.getRootNode()&&this.#o.parentNode!==t&&t.append(this.#o),this.#r.replaceChildren(...$t(e.fields,n));for(let o of this.#e.querySelectorAll(":scope > [slot=details]"))this.#p(o,e,n)}#l(){this.#c(!1),this.#o.remove(),this.#i=null}#c(t){this.#i?.toggleAttribute("data-open",t);for(let e of this.#i?.querySelectorAll("[aria-expanded]")??[])e.ariaExpanded=`${t}`}#p(t,e,n){if(this.#s?.[0]!==t){let s=document.createElement("template");s.content.append(t.cloneNode(!0));let a=new m(s,"div");this.#s=[t,a,a.make()]}let[,i,o]=this.#s;i.draw(o,e,n),t.replaceChildren(...o.item.firstElementChild.cloneNode(!0).childNodes)}#h(t){if(t.defaultPrevented||getSelection()?.type==="Range")return;let e=t.composedPath(),n=e.find(o=>o.dataset?.key!==void 0),i=e.find(o=>o.matches?.(qt));!n?.querySelector("[aria-expanded]")||i&&i.part?.value!=="disclosure"||this.#f(n.dataset.key)}#u(t){let[e]=t.composedPath(),n=e.closest?.("[data-key]");if(!n||t.defaultPrevented)return;let i=/^(Enter| )$/.test(t.key)&&e.role==="button",o=t.key==="Escape"&&n.dataset.key===this.#a;!i&&!o||(t.preventDefault(),this.#f(n.dataset.key))}#f(t){let{fire:e}=this.#t;if(t===this.#a)return e("rowclose",{key:t},!0)&&this.#e.removeAttribute("open-row");e("rowopen",{key:t},!0)&&this.#e.setAttribute("open-row",t)}};function*$t({title:r,subtitle:t,badge:e,detail:n,image:i,link:o,time:s,...a},c){let d=A(s),u=O(i),f=O(o);u&&(yield l("img",{part:"picture",src:u,alt:""}));for(let h of[n,e].map(g).filter(F=>!Y(F)))yield l("p",{},h);d!==null&&(yield l("p",{},c.full(d))),f&&(yield l("p",{},l("a",{href:f,target:"_blank",rel:"noopener noreferrer"},f)));let y=Object.entries(a).filter(([,h])=>h!==null&&h!=="");y.length&&(yield l("dl",{},...y.flatMap(([h,F])=>[l("dt",{},h),l("dd",{},jt(F,c))])))}function jt(r,t){return typeof r=="number"?t.number(r):Array.isArray(r)&&r.every(e=>g(e))?r.map(g).join(", "):g(r)||JSON.stringify(r)}var me=navigator.vendor.startsWith("Apple")&&!CSS.supports("-webkit-touch-callout","none"),Ft=r=>/^(auto|scroll|overlay)$/.test(getComputedStyle(r).overflowY),It=r=>r.scrollHeight>r.clientHeight&&Ft(r);function*Dt(r){for(let t=r;t&&t!==document.body;t=t.assignedSlot??t.parentNode??t.host)t instanceof Element&&(yield t)}function b(r){for(let t of Dt(r))if(It(t))return t;return document.scrollingElement??document.documentElement}function w(r){return r.scrollTop<=.5}var k=class{#e;held=new Set;#t;constructor({bar:t,content:e,rows:n},i){this.#t=i;let o=n.getBoundingClientRect().top,s=w(i)&&o-e.getBoundingClientRect().top>1;this.#e=s?[]:[...this.#n(n.children,t.getBoundingClientRect().bottom)]}hold(t){let[e,n]=this.#e.find(([o])=>o.isConnected&&!t.has(o))??[];if(!e)return null;let i=e.getBoundingClientRect().top-n;return Math.abs(i)>=1&&(this.#t.scrollTop+=i),e}*#n(t,e){for(let n of t){let{top:i,bottom:o}=n.getBoundingClientRect();if(!(o<=e)){if(i>=innerHeight)break;n.dataset.key?yield[n,i]:(this.held.add(n),yield*this.#n(n.children,e))}}}};var _=32;function*x(r){for(let t of r.children)yield*t.children}function*S(r){for(let t of x(r))yield*t.children}function et(r,t,e){R(t),r.firstElementChild||r.append(l("div",{class:"groups"},l("div",{class:"group"}))),V(t,e?.parentNode??x(r).next().value,e)}function R(r){let t=r.parentNode;it(t),r.remove(),t?.className&&!t.firstElementChild&&R(t)}function rt(r,t,e){for(let n of[...x(r),...r.children]){let i=e.has(n),o=i?-t:t;o===n.said&&(n.count||!t)||(n.said=o,n.style=t?`contain: style; content-visibility: ${i?"visible":"auto"}; contain-intrinsic-block-size: auto ${Pt(n,t)}px`:"")}}var Pt=(r,t)=>nt(r)*t+(r.className==="group"?0:r.childElementCount),nt=r=>r.count??=r.className==="group"?r.childElementCount:[...r.children].reduce((t,e)=>t+nt(e),0);function it(r){r?.className&&(r.count=r.parentNode.count=null)}function V(r,t,e){e?e.after(r):t.prepend(r),it(t);let n=r.className==="group"&&r.nextSibling?2*_:_;if(!t.className||t.childElementCount<=n)return;let i=t.nextElementSibling;(!i||i.childElementCount>=_)&&V(i=t.cloneNode(),t.parentNode,t),V(t.lastElementChild,i)}var B={duration:260,easing:"cubic-bezier(.2,.8,.2,1)"};function ot(r){if(I()||document.hidden)return null;let t=[...S(r)].map(e=>[e,e.getBoundingClientRect()]);return(e,n)=>{let i=new Map([...S(r)].map(a=>[a,a.getBoundingClientRect().top])),o=([a,{bottom:c,top:d}])=>!i.has(a)&&c>0&&d<innerHeight,s=t.filter(o);for(let[a,{top:c}]of t){let d=c-i.get(a);Math.abs(d)>1&&a.animate([{transform:`translateY(${d}px)`},{}],{...B,composite:"add"})}for(let a of e)a.animate([{opacity:0,transform:"translateY(-10px)"},{}],B);for(let a of n)a.animate([{opacity:.25},{}],B);s.length&&Ht(r,s)}}function Ht(r,t){let e=r.cloneNode();e.removeAttribute("part"),e.inert=!0,e.ariaHidden="true",Object.assign(e.style,{position:"relative",blockSize:0}),r.after(e);let{top:n}=e.getBoundingClientRect();for(let[i,o]of t)delete i.dataset.key,i.removeAttribute("part"),Object.assign(i.style,{position:"absolute",insetInline:0,top:`${o.top-n}px`}),e.append(i),i.animate([{},{opacity:0}],B).onfinish=()=>e.remove()}var st=H(`
.row {
  position: relative; align-content: center; min-block-size: 56px; padding: 10px 16px; row-gap: 2px;
  box-shadow: 0 -17px 0 -16px var(--rl-line);
}
/* Room for the line of its first row, as it cuts off what is above. Not of those that follow another: to find those in long
   lists takes longer than to lay rows out. */
.group { padding-block-start: 1px; }
:first-child > .group:first-child .row:first-child { box-shadow: none; }
.row > [part=subtitle] { margin-block-start: 2px; }
/* Words alone are no grid: rows are many, and a grid takes twice as long. */
.row:where([data-parts~=image], [data-parts~=badge], [data-parts~=detail], [data-parts~=time]) {
  display: grid; grid-template-columns: auto minmax(0, 1fr) fit-content(45%) auto; align-items: baseline;
  & [part=subtitle] { margin: 0; }
}
.row:where([data-parts~=badge][data-parts~=detail]) { grid-template-columns: auto minmax(0, 1fr) fit-content(28%) fit-content(28%); }
.row > * { display: block; }
/* What is longer ends in an ellipsis; an open row has all of it. */
[data-parts~=long] > :is([part~=title], [part=subtitle], [part=detail]) {
  display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: var(--refreshable-lines, 2); line-clamp: var(--refreshable-lines, 2);
  overflow: hidden;
}
[part=badge], .row:not([data-parts~=prose]) > [part=detail] {
  display: block; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; max-inline-size: calc(100% - 12px);
}
.row:not([data-parts~=subtitle], [data-parts~=time], [data-parts~=prose]) { align-items: center; & [part=image] { grid-row: 1; } }
[part=image] {
  grid-column: 1; grid-row: 1 / span 2; align-self: center; inline-size: 40px; block-size: 40px;
  margin-inline-end: 12px; border-radius: 10px; object-fit: cover; background: var(--rl-line);
}
[part~=title] { grid-column: 2; font-weight: 500; color: inherit; text-decoration: none; }
a[part~=title][href]::after { content: ''; position: absolute; inset: 0; }
a[part~=title]:focus-visible { outline: none; }
a[part~=title][role]:focus-visible::after { content: ''; position: absolute; inset: 0; }
a[part~=title]:focus-visible::after, .row:focus-visible { outline: 2px solid var(--rl-accent); outline-offset: -3px; border-radius: 12px; }
@media (hover: hover) { [data-parts~=link]:hover { background-color: color-mix(in srgb, var(--rl-accent) 7%, transparent); border-radius: var(--rl-radius); } }
[data-parts~=subtitle]:not([data-parts~=badge], [data-parts~=detail]) [part=title] { grid-column: 2 / -1; }
[part=subtitle] { grid-column: 2; grid-row: 2; font-size: .8125rem; color: var(--rl-quiet); }
[part=badge], [part=detail], [part=time] { margin-inline-start: 12px; }
[part=badge] {
  grid-column-start: 3; grid-row: 1; justify-self: end; font-size: .75rem; font-weight: 600; line-height: 1.25rem;
  padding-inline: 8px; border-radius: 10px; color: var(--rl-accent);
  background: color-mix(in srgb, var(--rl-accent) 9%, transparent); font-variant-numeric: tabular-nums;
}
[part=detail] {
  grid-column: 3; grid-row: 1; justify-self: end; font-size: .875rem; color: var(--rl-quiet);
  font-variant-numeric: tabular-nums;
}
[data-parts~=badge] > [part=detail] { grid-column: 4; }
[data-parts~=prose] [part=detail] { grid-column: 2 / -1; grid-row: 3; justify-self: start; margin: 0; }
[data-parts~=prose]:not([data-parts~=badge]) [part=time] { grid-row: 1 !important; }
[part=time] {
  grid-column: 3 / span 2; grid-row: 2; justify-self: end; font-size: .8125rem; color: var(--rl-quiet);
  font-variant-numeric: tabular-nums; white-space: nowrap;
}
.row:not([data-parts~=subtitle], [data-parts~=detail], [data-parts~=badge]) [part=time] { grid-row: 1; }
/* Of words in another direction than the page's, each keeps its own, but all begin at the same side. */
.row > *, .words > *, [part=error] p > *, [part=more] span {
  unicode-bidi: plaintext; text-align: -webkit-match-parent; text-align: match-parent;
}
.find { padding: 0 var(--rl-gutter) 8px; background: color-mix(in srgb, var(--rl-background) 86%, transparent); backdrop-filter: blur(18px); }
[part=find] {
  inline-size: 100%; min-block-size: 44px; padding-inline: 16px; border: 0; border-radius: 12px; font: inherit; color: inherit;
  background: color-mix(in srgb, currentColor 8%, transparent);
}
[part=find]:focus-visible { outline: 2px solid var(--rl-accent); }
::highlight(refreshable-found) { background: color-mix(in srgb, var(--rl-accent) 28%, transparent); color: inherit; }
[role=button] { cursor: pointer; }
.row > [part=disclosure] {
  position: absolute; inset-block: 0; inset-inline-end: 0; inline-size: 44px; display: grid; place-items: center; color: var(--rl-quiet);
  margin: 0;
}
[part=disclosure]::after {
  content: ''; inline-size: 8px; block-size: 8px; border: solid; border-width: 0 2px 2px 0; rotate: 45deg; translate: 0 -2px; transition: rotate .2s;
}
[data-parts~=disclosure] { padding-inline-end: 44px; }
[data-open] > [part=disclosure] { inset-block: 0 auto; block-size: 44px; }
[data-open] > [part=disclosure]::after { rotate: 225deg; translate: 0 2px; }
/* Open: nothing is cut short. */
[data-open] > :is([part~=title], [part=subtitle], [part=detail]) { -webkit-line-clamp: none; line-clamp: none; }
.row > [part=details] { grid-column: 1 / -1; font-size: .875rem; padding-block: 8px 4px; animation: appear .2s; }
.details-own { display: grid; gap: 6px; }
.details-own :is(p, dt) { color: var(--rl-quiet); }
.details-own a { color: var(--rl-accent); }
.details-own dl { display: grid; grid-template-columns: fit-content(40%) minmax(0, 1fr); gap: 4px 16px; }
[part=picture] { max-inline-size: 100%; max-block-size: 240px; border-radius: 10px; }
/* Large letters on a small screen. */
[part=rows] { container-type: inline-size; }
@container (max-width: 17rem) {
  .row { display: flex; flex-wrap: wrap; column-gap: 12px; }
  .row > * { margin: 0 !important; }
  [part~=title], [part=subtitle], [data-parts~=prose] [part=detail] { flex: 1 0 100%; }
}
[part=more] {
  display: flex; flex-wrap: wrap; justify-content: center; align-items: center; gap: 4px; min-block-size: 68px;
  padding-inline: var(--rl-gutter); font-size: .875rem; color: var(--rl-quiet);
}
[part=more] button { min-block-size: 44px; padding-inline: 12px; color: var(--rl-accent); font-weight: 600; border-radius: 22px; }
[part=more] [aria-disabled] { color: inherit; font-weight: inherit; }
[part=more][data-state=loading]::before {
  content: ''; inline-size: 18px; block-size: 18px; border-radius: 50%;
  border: 2px solid var(--rl-line); border-block-start-color: var(--rl-accent); animation: turn .8s linear infinite;
}
@media (prefers-reduced-motion: reduce) { [part=more]::before { animation-duration: 2.4s !important; } }
@keyframes appear { from { opacity: 0; } }
[part=news] {
  position: absolute; inset: calc(100% + 8px) 0 auto; margin-inline: auto; inline-size: fit-content; min-block-size: 44px;
  padding-inline: 18px; border-radius: 22px; font-size: .9375rem; font-weight: 600; color: var(--rl-background);
  background: var(--rl-accent) !important; box-shadow: 0 6px 24px #0003; animation: appear .25s;
}
.floating + [part=news] { visibility: hidden; }
[part=error] {
  display: flex; flex-wrap: wrap; align-items: center; column-gap: 12px; margin: 0 var(--rl-gutter) 12px;
  padding-block: 8px; padding-inline: 16px 4px;
  border-radius: var(--rl-radius); background: color-mix(in srgb, var(--rl-danger) 9%, var(--rl-background));
}
[part=error] svg { inline-size: 22px; block-size: 22px; color: var(--rl-danger); }
[part=error] p { flex: 1 1 7rem; display: grid; font-size: .875rem; padding-block: 4px; min-inline-size: 0; }
[part=error] strong { font-weight: 600; color: var(--rl-danger); }
[part=error] span { text-wrap: balance; color: var(--rl-quiet); }
[part=retry] { margin-inline-start: auto; }
[part=empty] {
  display: grid; justify-items: center; gap: 4px; padding: 18vh 32px 10vh; text-align: center; font-size: .9375rem;
}
[part=empty] svg {
  inline-size: 56px; block-size: 56px; stroke-width: 1.8; color: var(--rl-accent); opacity: .8;
  margin-block-end: 12px;
}
[part=empty] strong { font-size: 1.0625rem; font-weight: 600; }
[part=empty] span { color: var(--rl-quiet); }
@media (prefers-reduced-motion: reduce) { [part=news] { animation: none; } }
@media (forced-colors: active) {
  [part=badge], [part=error] { border: 1px solid; }
  .groups + *, .group + *, .row + * { border-block-start: 1px solid; }
  [part=more]::before { forced-color-adjust: none; }
  [part=news] { color: CanvasText; background: Canvas !important; }
}
`);var at={changes:30,rows:400},lt=4,Ut=24,q=class{#e;#t;#n;#r;#o=new v("li");#i=0;#s=new Map;#a=null;#d=null;#l=null;#c=0;#p=0;#h=!1;#u=new Set;#f=!0;#g=0;#m=[];#b=[];#x=new Set;constructor(t,e){this.#e=t,this.#t=this.#n=t.rows,this.#r=e;let n=this.#n.getRootNode();n.adoptedStyleSheets.push(st),n.addEventListener("contentvisibilityautostatechange",({target:i})=>i.className==="group"&&this.#y(i),!0),n.addEventListener("error",({target:i})=>i.getRootNode()===n&&tt(i),!0),this.#n.after(l("slot",{name:"rows"}))}render(t,e){if(this.#l={isFirst:t,isOwn:e||Boolean(this.#l?.isOwn)},t)clearTimeout(this.#c);else if(this.#c)return;this.#k()}applyTemplate(){let[t,e]=this.#i?["div","article"]:["ul","li"],{host:n}=this.#n.getRootNode(),i=M(n);this.#o=i?new m(i,e):new v(e),this.#t=this.#e.rows=document.createElement(t),this.#n.replaceChildren(),this.#n.hidden=Boolean(i),n.querySelector(":scope > [slot=rows]")?.remove(),i?(this.#t.slot="rows",n.append(this.#t)):(this.#t.part="rows",this.#n.replaceWith(this.#t),this.#n=this.#t),this.#s.clear(),this.#a=null,this.render(!0,!1)}tick(){for(let t of x(this.#t))t.firstElementChild.checkVisibility?.({contentVisibilityAuto:!0})!==!1&&this.#y(t)}#y(t){for(let e of t.querySelectorAll("time[data-field][datetime]"))W(e,this.#r.words)}number(t){if(t===this.#i)return;let e=this.#i;this.#i=t,e?this.render(!1,!1):this.applyTemplate()}element(t){return this.#s.get(t)?.item}get elements(){return[...S(this.#t)]}#k(){if(this.#c=0,this.#r.isMoving()&&!this.#l?.isFirst)return this.#v(100);if(!this.#f&&!document.hidden)return this.#v(10);if(this.#a?this.#z(lt):this.#w(),this.#a||this.#l)return this.#v(0);this.#t.ariaBusy=null,this.#r.drawn(),this.#r.missed(this.#g),this.#g=0}#v(t){this.#c=setTimeout(()=>this.#k(),t)}#w(){let{isFirst:t,isOwn:e}=this.#l;this.#t.ariaBusy="true";let n=this.#r.rows();this.#t.role=this.#i&&n.length?"feed":"list",this.#t.ariaLabel=this.#e.heading.textContent;let i=this.#r.scroller();if(this.#l=null,this.#d=t||e&&w(i)?null:i,this.#a=this.#A(n),this.#h=Math.max(n.length,this.#s.size)>at.rows,this.#h)return this.#S();let o=this.#N(n)<=at.changes,s=o&&!t&&ot(this.#t);this.#z(o?1/0:lt),s&&s(this.#m,this.#b)}#S(){this.#d&&(this.#u=new k(this.#e,this.#d).held,this.#E(),this.#f=!1,requestAnimationFrame(()=>{this.#f=!0}))}#N(t){return t.filter(({key:n,fields:i})=>this.#s.get(n)?.fields!==i).length+Math.max(0,this.#s.size-t.length)}#z(t){let e=this.#d&&new k(this.#e,this.#d),n=this.#C;this.#m=[],this.#b=[],this.#x.clear();let i=document.hidden?1/0:performance.now()+t;do this.#a.next().done&&(this.#a=null);while(this.#a&&performance.now()<i);e&&(this.#u=e.held),this.#E(),n?.isConnected&&n!==this.#C&&n.focus({preventScroll:!0});let o=e?.hold(this.#x);o&&(this.#g+=this.#m.filter(s=>Yt(s,o)).length)}*#A(t){let e=new Set(t.map(({key:o})=>o));yield;for(let o of this.#s.keys())e.has(o)||(this.#R(o,e),yield);let n=yield*this.#L(t),i=null;for(let[o,s]of t.entries()){let a=this.#O(s);n.has(o)||(et(this.#t,a,i),this.#x.add(a)),this.#i&&this.#M(a,o+1),i=a,o%Ut===0&&(yield)}}*#L(t){let e=new Map;for(let{children:i}of x(this.#t)){for(let o of i)e.set(o,e.size);yield}let n=t.map(({key:i})=>e.get(this.#s.get(i)?.item)??-1);return yield,Wt(n)}#M(t,e){let{textContent:n}=t.querySelector("[data-field]")??t,i={role:"article",ariaPosInSet:`${e}`,ariaSetSize:`${this.#i}`,ariaLabel:n,tabIndex:0};for(let[o,s]of Object.entries(i))t[o]!==s&&(t[o]=s)}#E(){this.#p=this.#h&&(this.#p||(this.elements[0]?.getBoundingClientRect().height??0)),rt(this.#t,this.#p,this.#u)}#O(t){let e=this.#s.get(t.key);if(e?.fields===t.fields)return e.item;let n=e??this.#T();return e&&this.#b.push(n.item),this.#o.draw(n,t,this.#r.words),n.fields=t.fields,this.#s.set(t.key,n),n.item}#T(){let t=this.#o.make();return t.item.role="listitem",this.#m.push(t.item),t}#R(t,e){let{item:n}=this.#s.get(t);this.#s.delete(t),n.contains(this.#C)&&this.#B(n,e),R(n)}get#C(){let t=this.#t.getRootNode().activeElement;return t&&this.#t.contains(t)?t:null}#B(t,e){let n=this.elements,i=n.indexOf(t),o=({dataset:c})=>e.has(c.key),s=n.slice(i).find(o)??n.slice(0,i).findLast(o),a=s?.querySelector("a[href], button")??s??this.#e.heading;a===s&&(s.tabIndex=-1),a.focus({preventScroll:!0})}};function Yt(r,t){return Boolean(t.compareDocumentPosition(r)&Node.DOCUMENT_POSITION_PRECEDING)}function Wt(r){let t=[],e=[];r.forEach((i,o)=>{if(i<0)return;let s=0,a=t.length;for(;s<a;){let c=s+a>>1;r[t[c]]<i?s=c+1:a=c}e[o]=t[s-1],t[s]=o});let n=new Set;for(let i=t.at(-1);i!==void 0;i=e[i])n.add(i);return n}var $=class{#e;#t=new Set;#n=null;constructor(t){this.#e=t,t.addEventListener("touchstart",this.#o,{passive:!0}),this.#r()}#r(){this.#e.addEventListener("wheel",this.#i,{passive:!0,once:!0})}isMoving(){if(this.#t.size)return!0;if(this.#n===null)return!1;let{scrollTop:t}=b(this.#e),e=t!==this.#n;return this.#n=e?t:null,e||this.#r(),e}#o=t=>{for(let{identifier:n}of t.changedTouches)this.#t.add(n);let[e]=t.composedPath();e.addEventListener("touchend",this.#i),e.addEventListener("touchcancel",this.#i)};#i=({changedTouches:t=[]})=>{for(let{identifier:e}of t)this.#t.delete(e);this.#n=NaN}};function ct(r,t,e=""){let{updatedAt:n,staleSince:i}=r??{},o=n?t.updated(t.ago(Math.min(n,Date.now()))):"";return[e||o&&i&&t.stale,o].filter(Boolean).join(" · ")}function j({last:r},t){return!r?.outcome||r.outcome==="success"||r.outcome==="cancelled"||r.cause==="more"?null:{title:t.failed,message:t.explain(r.error??{})}}function _t({last:r},t,e,n){return r?.outcome==="cancelled"?t.cancelled:r?.outcome&&r.outcome!=="success"?t.failed:n??pt(r,t,e)??t.upToDate}function dt(r,t,e){let{last:n,updatedAt:i}=r,o=j(r,t);if(o)return[o.title,o.message].filter(Boolean).join(": ");if(n?.outcome==="cancelled"||!i)return _t(r,t,e);let s=t.updated(t.clock(i)),a=pt(n,t,e);return a?`${a}, ${s[0].toLowerCase()}${s.slice(1)}`:s}function pt(r,t,e){let{inserted:n,changed:i,moved:o,removed:s}=r?.changes??{moved:1},a=t.called(e,n||i||0);return n?a?t.newOf(n,a):t.news(n):i?a?t.changedOf(i,a):t.changes(i):o||s?null:t.noNews}var ht=class{#e;#t;#n;#r;#o;#i=null;#s=new MutationObserver(t=>this.#b(t));#a=null;#d;#l;#c=0;#p=!1;#h=0;constructor(t,e,n){this.#e=t,this.#t=e,this.#o=n,this.#l=new N(t,e,n),t.addEventListener("click",o=>G(o,t)&&n.ask()),this.#r=new E(e,()=>this.#x());let i=new $(t);this.#n=new q(e,{rows:()=>this.#l.filter(n.watch?.replica.rows??[]),scroller:()=>b(t),isMoving:()=>n.isDown||i.isMoving(),drawn:()=>{this.#d.update(),this.#l.mark(e.rows)},missed:o=>this.#f(o),get words(){return n.words}}),this.#d=new T(t,n,o=>this.#n.element(o)),this.#r.name(n.words),e.bar.addEventListener("click",o=>Vt(o)&&this.#u()),e.news.addEventListener("click",()=>{this.#u(),e.heading.focus({preventScroll:!0})}),this.#s.observe(t,{childList:!0}),this.#b([])}render(t,e=!1){this.#n.render(t,e)}paint(){let{refresh:t}=this.#t,{activeElement:e}=t.getRootNode();this.#y(),this.#k(),this.#S(),e?.closest("[hidden]")&&t.focus()}tick(){this.#n.tick(),this.#y()}translate(){this.#r.name(this.#o.words),this.#g(),this.tick(),this.paint()}turn(t,e){let{watch:n,words:i}=this.#o;clearTimeout(this.#c),e==="loading"?(this.#p=!this.#o.isFirst,this.#p&&(this.#c=setTimeout(()=>this.#t.say(i.loading.replace(/ ?…/,"")),500))):t==="loading"&&n?.state&&n.state.phase!=="loading"&&(this.#p||j(n.state,i))&&this.#t.say(dt(n.state,i,n.about?.noun))}#u(){b(this.#e).scrollTo({top:0,behavior:z()})}#f(t){t&&(this.#h||addEventListener("scroll",this.#m,{capture:!0,passive:!0}),this.#h+=t,this.#t.news.hidden=!1,this.#g())}#g(){p(this.#t.news,this.#o.words.missed(this.#h))}#m=()=>w(b(this.#e))&&this.catchUp();leave(){this.catchUp(),this.#l.unmark()}catchUp(){removeEventListener("scroll",this.#m,{capture:!0}),this.#h=0,this.#t.news.hidden=!0}open(){this.#d.open()}find(){this.#l.update(),this.#n.render(!0,!1),this.paint()}#b(t){let e=M(this.#e);e===this.#i&&t.every(({target:n})=>n===this.#e)||(this.#i=e,e&&this.#s.observe(e.content,{attributes:!0,characterData:!0,childList:!0,subtree:!0}),this.#n.applyTemplate())}#x(){let{watch:t,ask:e}=this.#o;if(t?.refusal)return t.watch();t?.isConnected||t?.connection.connectNow(),this.#o.refreshable&&e()}#y(){let{watch:t,phase:e,isFirst:n,isOwn:i,loss:o,refreshable:s,words:a}=this.#o,{heading:c,updated:d,refresh:u,search:f,cancel:y}=this.#t;f.hidden=!this.#l.isOffered;let h=t?.refusal||this.#w?t?.name:"";p(c,this.#e.getAttribute("heading")??t?.about?.title??h??""),c.ariaLevel=this.#e.getAttribute("level")??"2",p(d,ct(t?.state,a,n?"":this.#w)),d.hidden=!n&&!d.textContent,d.title=t?.state?.updatedAt?a.full(t.state.updatedAt):"",this.#e.toggleAttribute("stale",Boolean(t?.state?.staleSince||this.#w)),this.#e.toggleAttribute("offline",o.isLost),u.disabled=!s,J(this.#e,s),y.hidden=e!=="loading",p(y,i?a.cancel:a.hide)}#k(){let{watch:t,isFirst:e,refreshable:n,words:i}=this.#o,o=this.#v(),s=e&&this.#w&&t.connection.isAway,a=this.#l.isFinding&&Boolean(t?.replica.count)&&this.#l.filter(t.replica.rows).length===0,c=Boolean(t)&&(a||t.replica.count===0)&&!e&&!o,d=c&&n&&!t.state?.updatedAt,u=s?"offline":c?"empty":"",f=a?i.noneFound:d?i.notLoaded:i[u];this.#t.loading.hidden=this.#t.skeleton.hidden=!e||s||Boolean(o),this.#r.paint(o,u,f,s?i.unavailable:n&&!a?i.waiting:"")}#v(){let{watch:t,phase:e,fault:n,words:i}=this.#o;if(t?.refusal){let{code:o,retry:s}=t.refusal,a=o==="unknownList",c=a?"":i.explain(t.refusal);return{title:a?i.unknownList:i.notShown,message:c,isFinal:s==="never",isUnknown:a}}return t?.connection.refusal?{title:i.notShown,message:i.explain(t.connection.refusal)}:n?{title:i[n.title],message:i.explain(n)||i[n.code]}:t?.state&&e!=="loading"?j(t.state,i):null}get#w(){let{watch:t,loss:e,words:n}=this.#o;return t?.connection.refusal||!e.word?"":n[e.word]}async#S(){if(!this.#a&&!this.#o.watch?.state?.more)return;let{LoadMore:t}=await import("../rows/load-more.js");this.#a??=new t(this.#r.more,this.#o,this.#n),this.#a.paint()}};function Vt(r){return getSelection()?.type!=="Range"&&!r.composedPath().some(t=>t.matches?.("a, button, input, [slot]:not([slot=header])"))}export{ht as ListRenderer};
//# sourceMappingURL=list-renderer.js.map
