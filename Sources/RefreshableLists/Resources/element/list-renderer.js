var z='[command="--refresh"]',U=new WeakMap;"commandForElement"in HTMLButtonElement.prototype||addEventListener("click",n=>{let[t]=n.composedPath(),e=t.closest?.(`${z}[commandfor]:enabled`);e?.getRootNode().getElementById(e.getAttribute("commandfor"))?.dispatchEvent(Object.assign(new Event("command"),{command:"--refresh"}))});function Y({target:n},t){let e=n instanceof Element&&n.closest(`${z}:not([commandfor])`);return Boolean(e)&&!e.disabled&&e.closest(t.localName)===t}function W(n,t){let e=U.get(n)??new Set;U.set(n,e);for(let r of t?e:[...dt(n),...pt(n)])r.disabled||e.add(r),r.disabled=!t;t&&e.clear()}function dt(n){return[...n.querySelectorAll(`${z}:not([commandfor])`)].filter(e=>e.closest(n.localName)===n)}function pt(n){return n.id?n.getRootNode().querySelectorAll(`${z}[commandfor="${CSS.escape(n.id)}"]`):[]}var ht=matchMedia("(prefers-reduced-motion: reduce)"),y=()=>ht.matches;var ut=new Set(["svg","path","circle","rect"]);function l(n,t={},...e){let r=ut.has(n)?document.createElementNS("http://www.w3.org/2000/svg",n):document.createElement(n);for(let i of Object.keys(t))r.setAttribute(i,`${t[i]}`);return r.append(...e),r}var $=(n,...t)=>l("svg",{viewBox:`0 0 ${n} ${n}`,"aria-hidden":"true"},...t.map(e=>l("path",{d:e}))),j=(n,...t)=>l("button",{part:n,type:"button"},...t);function F(n){let t=new CSSStyleSheet;return t.replaceSync(n),t}var ft=260,_t=F(`
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

.gap { position: absolute; inset: 100% 0 auto; block-size: ${ft}px; overflow: clip; pointer-events: none; }
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
`);function p(n,t){n.textContent!==t&&(n.textContent=t)}var mt=()=>l("slot",{name:"error"},l("div",{part:"error"},$(24,"M12 3a9 9 0 1 1-.01 0Z","M12 7.5v5.4m0 3.3v.1"),l("p",{},l("strong",{"data-field":"title"}),l("span",{"data-field":"message"})),j("retry"),l("slot",{name:"unknown"}))),gt=()=>l("div",{part:"empty"},$(48,"M16 7h16a7 7 0 0 1 7 7v20a7 7 0 0 1-7 7H16a7 7 0 0 1-7-7V14a7 7 0 0 1 7-7Z","M17 17h14M17 24h14M17 31h8"),l("strong"),l("span"),j("retry")),C=class{#t=mt();#e=gt();#r=[l("slot",{name:"empty"}),l("slot",{name:"offline"})];#n;more=l("div",{part:"more"},l("span"),l("button",{type:"button"}));constructor({content:t,rows:e},r){this.more.hidden=!0,t.querySelector("slot").after(this.#t),e.after(this.more,...this.#r),this.#n=[this.#t,this.#e].map(i=>i.querySelector("button"));for(let i of this.#n)i.addEventListener("click",r)}name({retry:t}){for(let e of this.#n)p(e,t)}paint(t,e,r,i){this.#t.hidden=!t,this.#n[0].hidden=Boolean(t?.isFinal),this.#t.querySelector("[name=unknown]").hidden=!t?.isUnknown;for(let o of t?this.#t.assignedElements({flatten:!0}):[])for(let a of o.querySelectorAll("[data-field]"))p(a,t[a.dataset.field]??"");for(let o of this.#r)o.hidden=o.name!==e,!o.hidden&&!o.firstChild&&o.append(this.#e);this.#n[1].hidden=e!=="offline",e&&(p(this.#e.querySelector("strong"),r),p(this.#e.querySelector("span"),i))}};var I="refreshable-found",N=class{#t=l("input",{type:"search",part:"find",enterkeyhint:"search",autocomplete:"off",spellcheck:"false"});#e=l("div",{class:"find"},this.#t);#r=[];#n=[];constructor(t,e){t.querySelector(".bar-content").after(this.#e),this.#t.addEventListener("input",()=>e(this.#t.value)),this.#t.addEventListener("keydown",r=>{r.key==="Escape"&&(r.preventDefault(),e(null))})}set(t,e){this.#e.hidden=t===null,this.#t.placeholder=this.#t.ariaLabel=e,t!==null&&this.#t.value!==t&&(this.#t.value=t),this.#r=(t??"").toLocaleLowerCase().split(/\s+/).filter(Boolean)}focus(){this.#t.focus()}filter(t){return this.#r.length?t.filter(({key:e,fields:r})=>{let i=Object.values({key:e,...r}).flat().join(`
`).toLocaleLowerCase();return this.#r.every(o=>i.includes(o))}):t}mark(t){if(!("Highlight"in globalThis))return;this.unmark();for(let r of this.#r.length?bt(t):[])this.#n.push(...this.#i(r));let e=CSS.highlights.get(I)??new Highlight;for(let r of this.#n)e.add(r);CSS.highlights.set(I,e)}unmark(){for(let t of this.#n)CSS.highlights.get(I).delete(t);this.#n=[]}*#i(t){let e=t.data.toLocaleLowerCase();for(let r of e.length===t.length?this.#r:[])for(let i=e.indexOf(r);i>=0;i=e.indexOf(r,i+r.length)){let o=new Range;o.setStart(t,i),o.setEnd(t,i+r.length),yield o}}};function*bt(n){let t=document.createTreeWalker(n,NodeFilter.SHOW_TEXT);for(;t.nextNode();)yield t.currentNode}function A(n){if(typeof n!="number"&&typeof n!="string")return null;let t=new Date(/^\d{11,}$/.test(n)?Number(n):n).getTime();return Number.isNaN(t)?null:t}var wt=/^data-field-(?!on|style$|srcdoc$)(.+)/,xt=/src|href|action|^(poster|data)$/,V={role:"button",tabindex:0,"aria-expanded":"false"},Z=document.createElement("template");Z.content.append(l("li",{class:"row",part:"row"},l("img",{part:"image",alt:"","data-field-src":"image"}),l("a",{part:"title",target:"_blank",rel:"noopener noreferrer","data-field":"title|key","data-field-href":"link",...V}),...["subtitle","badge","detail"].map(n=>l("span",{part:n,"data-field":n})),l("time",{part:"time","data-field":"time"}),l("button",{part:"disclosure",type:"button","aria-expanded":"false"})));var yt=24,vt=48,m=class{#t;#e;constructor({content:t},e){let[r,i]=t.children,o=r?.localName==="li"&&!i,a=this.#t=t.ownerDocument.createElement(e);for(let{name:s,value:d}of o?r.attributes:[])a.setAttribute(s,d);a.append(...(o?r:t).cloneNode(!0).childNodes),this.#e=_(a).map(zt)}make(t=!0){let e=document.importNode(this.#t,t);return{item:e,pieces:_(e)}}draw({item:t,pieces:e},{key:r,fields:i},o){let a={key:r,...i};e.forEach((s,d)=>this.#e[d].forEach(c=>c(s,a,o))),t.dataset.key=r}},v=class extends m{constructor(t){super(Z,t)}make(){return super.make(!1)}draw({item:t},e,r){t.dataset.broken&&St(t);let i=super.make().pieces.map(c=>t.querySelector(`[part=${c.part}]`)??c);super.draw({item:t,pieces:i},e,r);let o=[],a=null,[,,s]=i,d=kt(e.fields);if(s.href||!d)for(let c of Object.keys(V))s.removeAttribute(c);for(let c of i.slice(1)){if(c.localName==="button"?!d||!s.href:!c.textContent&&!c.src){c.remove();continue}c.localName==="button"&&(c.ariaLabel=r.details),c.parentNode!==t&&t.insertBefore(c,a?a.nextSibling:t.firstChild),a=c,o.push(c.part.value),c.href&&o.push("link"),o.at(-1)==="detail"&&c.textContent.length>yt&&o.push("prose")}t.dataset.parts=o.join(" ")}};function kt({title:n="",subtitle:t="",badge:e="",detail:r="",link:i,image:o,time:a,...s}){return[n,t].some(c=>c.length>vt)||[e,r].some(c=>`${c}`.length>12)||Boolean(!i&&(o||a))||Object.keys(s).length>0}function G(n){n.parentNode.dataset.broken="image",n.replaceWith(l("span",{part:"image"}))}function St(n){n.querySelector("span[part=image]").remove(),delete n.dataset.broken}var E=n=>n.querySelector(":scope > template");function D(n,{ago:t,full:e}){let r=Date.parse(n.dateTime);p(n,t(r)),n.title=e(r)}var _=n=>[n,...n.querySelectorAll(":not(script, style)")];function zt(n){return n.localName==="img"&&!n.hasAttribute("loading")&&(n.loading="lazy"),[...n.attributes].flatMap(({name:t,value:e})=>{let r=Nt(n,t,wt.exec(t)?.[1]),i=e.split("|"),o=a=>i.map(s=>Ct(a,s)).find(s=>(s??"")!=="");return r?[(a,s,d)=>r(a,o(s),d)]:[]})}function Ct(n,t){return n[t]??t.split(".").reduce((e,r)=>e?.[r],n)}function Nt(n,t,e){return t==="data-field"?At(n.textContent):t==="data-if"||t==="data-unless"?Et(t==="data-if"):e&&Lt(e,n.getAttribute(e))}var At=n=>(t,e,r)=>{let i=t.localName==="time"?A(e):null,o=t.localName==="data"&&typeof e=="number";if(t.removeAttribute("datetime"),o&&(t.value=e),i===null)return p(t,o?r.number(e):g(e)||n);t.dateTime=new Date(i).toISOString(),D(t,r)},Et=n=>(t,e)=>{let r=Boolean(e)&&e.length!==0;t.style.display=r===n?"":"none"},Lt=(n,t)=>(e,r)=>{let o=!(r===!1&&!n.startsWith("aria-"))&&(xt.test(n)?L:g)(r)||t;o===null?e.removeAttribute(n):e.getAttribute(n)!==o&&e.setAttribute(n,o)};function g(n){return["string","number","boolean"].includes(typeof n)?String(n):""}function L(n){if(!n||typeof n!="string"||!URL.canParse(n,document.baseURI))return"";let t=new URL(n,document.baseURI);return/^https?:$/.test(t.protocol)?t.href:""}var Mt=new Set(["title","subtitle","image","link","time","badge","detail"]),M=class{#t;#e=l("div",{class:"details-own"});#r=l("slot",{name:"details"},this.#e);#n=l("div",{part:"details"},this.#r);#i=null;#o=null;constructor(t){this.#t=t}show(t,e,r){t!==this.#i&&this.hide(),this.#i=t,this.#s(!0),t.getRootNode()!==this.#t.getRootNode()&&this.#n.parentNode!==t&&t.append(this.#n),this.#e.replaceChildren(...Tt(e.fields,r));for(let o of this.#t.querySelectorAll(":scope > [slot=details]"))this.#l(o,e,r)}hide(){this.#s(!1),this.#n.remove(),this.#i=null}#s(t){let e=this.#i;if(e){e.toggleAttribute("data-open",t);for(let r of e.querySelectorAll("[aria-expanded]"))r.ariaExpanded=`${t}`}}#l(t,e,r){if(this.#o?.[0]!==t){let a=document.createElement("template");a.content.append(t.cloneNode(!0));let s=new m(a,"div");this.#o=[t,s,s.make()]}let[,i,o]=this.#o;i.draw(o,e,r),t.replaceChildren(...o.item.firstElementChild.cloneNode(!0).childNodes)}};function*Tt({badge:n,detail:t,image:e,link:r,time:i,...o},a){let s=A(i),d=L(e),c=L(r);d&&(yield l("img",{part:"picture",src:d,alt:""}));for(let h of[t,n].map(g).filter(u=>u.length>12))yield l("p",{},h);s!==null&&(yield l("p",{},a.full(s))),c&&(yield l("p",{},l("a",{href:c,target:"_blank",rel:"noopener noreferrer"},c)));let f=Object.entries(o).filter(([h,u])=>!Mt.has(h)&&u!==null&&u!=="");f.length&&(yield l("dl",{},...f.flatMap(([h,u])=>[l("dt",{},h),l("dd",{},Rt(u,a))])))}function Rt(n,t){return typeof n=="number"?t.number(n):Array.isArray(n)&&n.every(e=>g(e))?n.map(g).join(", "):g(n)||JSON.stringify(n)}var ce=navigator.vendor.startsWith("Apple")&&!CSS.supports("-webkit-touch-callout","none"),Ot=n=>/^(auto|scroll|overlay)$/.test(getComputedStyle(n).overflowY),qt=n=>n.scrollHeight>n.clientHeight&&Ot(n);function*Bt(n){for(let t=n;t&&t!==document.body;t=t.assignedSlot??t.parentNode??t.host)t instanceof Element&&(yield t)}function b(n){for(let t of Bt(n))if(qt(t))return t;return document.scrollingElement??document.documentElement}function w(n){return n.scrollTop<=.5}var k=class{#t;held=new Set;#e;constructor({bar:t,content:e,rows:r},i){this.#e=i;let o=r.getBoundingClientRect().top,a=w(i)&&o-e.getBoundingClientRect().top>1;this.#t=a?[]:[...this.#r(r.children,t.getBoundingClientRect().bottom)]}hold(t){let[e,r]=this.#t.find(([o])=>o.isConnected&&!t.has(o))??[];if(!e)return null;let i=e.getBoundingClientRect().top-r;return Math.abs(i)>=1&&(this.#e.scrollTop+=i),e}*#r(t,e){for(let r of t){let{top:i,bottom:o}=r.getBoundingClientRect();if(!(o<=e)){if(i>=innerHeight)break;r.dataset.key?yield[r,i]:(this.held.add(r),yield*this.#r(r.children,e))}}}};var P=32;function*x(n){for(let t of n.children)yield*t.children}function*S(n){for(let t of x(n))yield*t.children}function J(n,t,e){T(t),n.firstElementChild||n.append(l("div",{class:"groups"},l("div",{class:"group"}))),H(t,e?.parentNode??x(n).next().value,e)}function T(n){let t=n.parentNode;Q(t),n.remove(),t?.className&&!t.firstElementChild&&T(t)}function X(n,t,e){for(let r of[...x(n),...n.children]){let i=e.has(r),o=i?-t:t;o===r.said&&(r.count||!t)||(r.said=o,r.style=t?`contain: style; content-visibility: ${i?"visible":"auto"}; contain-intrinsic-block-size: auto ${$t(r,t)}px`:"")}}var $t=(n,t)=>K(n)*t+(n.className==="group"?0:n.childElementCount),K=n=>n.count??=n.className==="group"?n.childElementCount:[...n.children].reduce((t,e)=>t+K(e),0);function Q(n){n?.className&&(n.count=n.parentNode.count=null)}function H(n,t,e){e?e.after(n):t.prepend(n),Q(t);let r=n.className==="group"&&n.nextSibling?2*P:P;if(!t.className||t.childElementCount<=r)return;let i=t.nextElementSibling;(!i||i.childElementCount>=P)&&H(i=t.cloneNode(),t.parentNode,t),H(t.lastElementChild,i)}var R={duration:260,easing:"cubic-bezier(.2,.8,.2,1)"};function tt(n){if(y()||document.hidden)return null;let t=[...S(n)].map(e=>[e,e.getBoundingClientRect()]);return(e,r)=>{let i=new Map([...S(n)].map(s=>[s,s.getBoundingClientRect().top])),o=([s,{bottom:d,top:c}])=>!i.has(s)&&d>0&&c<innerHeight,a=t.filter(o);for(let[s,{top:d}]of t){let c=d-i.get(s);Math.abs(c)>1&&s.animate([{transform:`translateY(${c}px)`},{}],{...R,composite:"add"})}for(let s of e)s.animate([{opacity:0,transform:"translateY(-10px)"},{}],R);for(let s of r)s.animate([{opacity:.25},{}],R);a.length&&jt(n,a)}}function jt(n,t){let e=n.cloneNode();e.removeAttribute("part"),e.inert=!0,e.ariaHidden="true",Object.assign(e.style,{position:"relative",blockSize:0}),n.after(e);let{top:r}=e.getBoundingClientRect();for(let[i,o]of t)delete i.dataset.key,i.removeAttribute("part"),Object.assign(i.style,{position:"absolute",insetInline:0,top:`${o.top-r}px`}),e.append(i),i.animate([{},{opacity:0}],R).onfinish=()=>e.remove()}var et=F(`
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
[part~=title], [part=subtitle], [part=detail] {
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
`);var rt={changes:30,rows:400},nt=4,Ft=24,O=class{#t;#e;#r;#n;#i=new v("li");#o=0;#s=new Map;#l=null;#c=null;#a=null;#p=0;#h=0;#d=!1;#g=new Set;#x=!0;#b=0;#u=[];#w=[];#f=new Set;constructor(t,e){this.#t=t,this.#e=this.#r=t.rows,this.#n=e;let r=this.#r.getRootNode();r.adoptedStyleSheets.push(et),r.addEventListener("contentvisibilityautostatechange",({target:i})=>i.className==="group"&&this.#y(i),!0),r.addEventListener("error",({target:i})=>i.getRootNode()===r&&G(i),!0),this.#r.after(l("slot",{name:"rows"}))}render(t,e){if(this.#a={isFirst:t,isOwn:e||Boolean(this.#a?.isOwn)},t)clearTimeout(this.#p);else if(this.#p)return;this.#k()}applyTemplate(){let[t,e]=this.#o?["div","article"]:["ul","li"],{host:r}=this.#r.getRootNode(),i=E(r);this.#i=i?new m(i,e):new v(e),this.#e=this.#t.rows=document.createElement(t),this.#r.replaceChildren(),this.#r.hidden=Boolean(i),r.querySelector(":scope > [slot=rows]")?.remove(),i?(this.#e.slot="rows",r.append(this.#e)):(this.#e.part="rows",this.#r.replaceWith(this.#e),this.#r=this.#e),this.#s.clear(),this.#l=null,this.render(!0,!1)}tick(){for(let t of x(this.#e))t.firstElementChild.checkVisibility?.({contentVisibilityAuto:!0})!==!1&&this.#y(t)}#y(t){for(let e of t.querySelectorAll("time[data-field][datetime]"))D(e,this.#n.words)}number(t){if(t===this.#o)return;let e=this.#o;this.#o=t,e?this.render(!1,!1):this.applyTemplate()}element(t){return this.#s.get(t)?.item}get elements(){return[...S(this.#e)]}#k(){if(this.#p=0,this.#n.isMoving()&&!this.#a?.isFirst)return this.#v(100);if(!this.#x&&!document.hidden)return this.#v(10);if(this.#l?this.#C(nt):this.#A(),this.#l||this.#a)return this.#v(0);this.#e.ariaBusy=null,this.#n.drawn(),this.#n.missed(this.#b),this.#b=0}#v(t){this.#p=setTimeout(()=>this.#k(),t)}#A(){let{isFirst:t,isOwn:e}=this.#a;this.#e.ariaBusy="true";let r=this.#n.rows();this.#e.role=this.#o&&r.length?"feed":"list",this.#e.ariaLabel=this.#t.heading.textContent;let i=this.#n.scroller();if(this.#a=null,this.#c=t||e&&w(i)?null:i,this.#l=this.#N(r),this.#d=Math.max(r.length,this.#s.size)>rt.rows,this.#d)return this.#S();let o=this.#z(r)<=rt.changes,a=o&&!t&&tt(this.#e);this.#C(o?1/0:nt),a&&a(this.#u,this.#w)}#S(){this.#c&&(this.#g=new k(this.#t,this.#c).held,this.#m(),this.#x=!1,requestAnimationFrame(()=>{this.#x=!0}))}#z(t){return t.filter(({key:r,fields:i})=>this.#s.get(r)?.fields!==i).length+Math.max(0,this.#s.size-t.length)}#C(t){let e=this.#c&&new k(this.#t,this.#c),r=this.#T;this.#u=[],this.#w=[],this.#f.clear();let i=document.hidden?1/0:performance.now()+t;do this.#l.next().done&&(this.#l=null);while(this.#l&&performance.now()<i);e&&(this.#g=e.held),this.#m(),r?.isConnected&&r!==this.#T&&r.focus({preventScroll:!0});let o=e?.hold(this.#f);o&&(this.#b+=this.#u.filter(a=>It(a,o)).length)}*#N(t){let e=new Set(t.map(({key:o})=>o));yield;for(let o of this.#s.keys())e.has(o)||(this.#O(o,e),yield);let r=yield*this.#E(t),i=null;for(let[o,a]of t.entries()){let s=this.#M(a);r.has(o)||(J(this.#e,s,i),this.#f.add(s)),this.#o&&this.#L(s,o+1),i=s,o%Ft===0&&(yield)}}*#E(t){let e=new Map;for(let{children:i}of x(this.#e)){for(let o of i)e.set(o,e.size);yield}let r=t.map(({key:i})=>e.get(this.#s.get(i)?.item)??-1);return yield,Dt(r)}#L(t,e){let{textContent:r}=t.querySelector("[data-field]")??t,i={role:"article",ariaPosInSet:`${e}`,ariaSetSize:`${this.#o}`,ariaLabel:r,tabIndex:0};for(let[o,a]of Object.entries(i))t[o]!==a&&(t[o]=a)}#m(){this.#h=this.#d&&(this.#h||(this.elements[0]?.getBoundingClientRect().height??0)),X(this.#e,this.#h,this.#g)}#M(t){let e=this.#s.get(t.key);if(e?.fields===t.fields)return e.item;let r=e??this.#R();return e&&this.#w.push(r.item),this.#i.draw(r,t,this.#n.words),r.fields=t.fields,this.#s.set(t.key,r),r.item}#R(){let t=this.#i.make();return t.item.role="listitem",this.#u.push(t.item),t}#O(t,e){let{item:r}=this.#s.get(t);this.#s.delete(t),r.contains(this.#T)&&this.#q(r,e),T(r)}get#T(){let t=this.#e.getRootNode().activeElement;return t&&this.#e.contains(t)?t:null}#q(t,e){let r=this.elements,i=r.indexOf(t),o=({dataset:d})=>e.has(d.key),a=r.slice(i).find(o)??r.slice(0,i).findLast(o),s=a?.querySelector("a[href], button")??a??this.#t.heading;s===a&&(a.tabIndex=-1),s.focus({preventScroll:!0})}};function It(n,t){return Boolean(t.compareDocumentPosition(n)&Node.DOCUMENT_POSITION_PRECEDING)}function Dt(n){let t=[],e=[];n.forEach((i,o)=>{if(i<0)return;let a=0,s=t.length;for(;a<s;){let d=a+s>>1;n[t[d]]<i?a=d+1:s=d}e[o]=t[a-1],t[a]=o});let r=new Set;for(let i=t.at(-1);i!==void 0;i=e[i])r.add(i);return r}var q=class{#t;#e=new Set;#r=null;constructor(t){this.#t=t,t.addEventListener("touchstart",this.#i,{passive:!0}),this.#n()}#n(){this.#t.addEventListener("wheel",this.#o,{passive:!0,once:!0})}isMoving(){if(this.#e.size)return!0;if(this.#r===null)return!1;let{scrollTop:t}=b(this.#t),e=t!==this.#r;return this.#r=e?t:null,e||this.#n(),e}#i=t=>{for(let{identifier:r}of t.changedTouches)this.#e.add(r);let[e]=t.composedPath();e.addEventListener("touchend",this.#o),e.addEventListener("touchcancel",this.#o)};#o=({changedTouches:t=[]})=>{for(let{identifier:e}of t)this.#e.delete(e);this.#r=NaN}};function it(n,t,e=""){let{updatedAt:r,staleSince:i}=n??{},o=r?t.updated(t.ago(Math.min(r,Date.now()))):"";return[e||o&&i&&t.stale,o].filter(Boolean).join(" · ")}function B({last:n},t){return!n?.outcome||n.outcome==="success"||n.outcome==="cancelled"||n.cause==="more"?null:{title:t.failed,message:t.explain(n.error??{})}}function Pt({last:n},t,e,r){return n?.outcome==="cancelled"?t.cancelled:n?.outcome&&n.outcome!=="success"?t.failed:r??st(n,t,e)??t.upToDate}function ot(n,t,e){let{last:r,updatedAt:i}=n,o=B(n,t);if(o)return[o.title,o.message].filter(Boolean).join(": ");if(r?.outcome==="cancelled"||!i)return Pt(n,t,e);let a=t.updated(t.clock(i)),s=st(r,t,e);return s?`${s}, ${a[0].toLowerCase()}${a.slice(1)}`:a}function st(n,t,e){let{inserted:r,changed:i,moved:o,removed:a}=n?.changes??{moved:1},s=t.called(e,r||i||0);return r?s?t.newOf(r,s):t.news(r):i?s?t.changedOf(i,s):t.changes(i):o||a?null:t.noNews}var at={shown:1e3,certain:5e3},lt=class{#t;#e;#r;#n;#i;#o=null;#s=new MutationObserver(t=>this.#z(t));#l=null;#c;#a=null;#p=0;#h=!1;#d=0;constructor(t,e,r){this.#t=t,this.#e=e,this.#i=r,this.#c=new M(t),t.addEventListener("click",o=>Y(o,t)&&r.ask()),this.#n=new C(e,()=>this.#C());let i=new q(t);this.#r=new O(e,{rows:()=>this.#w(r.watch?.replica.rows??[]),scroller:()=>b(t),isMoving:()=>r.isDown||i.isMoving(),drawn:()=>{this.#y(),this.#a?.mark(e.rows)},missed:o=>this.#x(o),get words(){return r.words}}),this.#n.name(r.words),e.bar.addEventListener("click",o=>Ht(o)&&this.#g()),e.search.addEventListener("click",()=>this.#f(t.hasAttribute("query")?null:"")),e.news.addEventListener("click",()=>{this.#g(),e.heading.focus({preventScroll:!0})}),t.addEventListener("click",o=>this.#k(o)),t.addEventListener("keydown",o=>this.#v(o)),this.#s.observe(t,{childList:!0}),this.#z([])}render(t,e=!1){this.#r.render(t,e)}paint(){let{refresh:t}=this.#e,{activeElement:e}=t.getRootNode();this.#N(),this.#E(),this.#M(),e?.closest("[hidden]")&&t.focus()}tick(){this.#r.tick(),this.#N()}translate(){this.#n.name(this.#i.words),this.#b(),this.tick(),this.paint()}turn(t,e){let{watch:r,words:i}=this.#i;clearTimeout(this.#p),e==="loading"?(this.#h=!this.#i.isFirst,this.#h&&(this.#p=setTimeout(()=>this.#e.say(i.loading.replace(/ ?…/,"")),500))):t==="loading"&&r?.state&&r.state.phase!=="loading"&&(this.#h||B(r.state,i))&&this.#e.say(ot(r.state,i,r.about?.noun))}#g(){b(this.#t).scrollTo({top:0,behavior:y()?"auto":"smooth"})}#x(t){t&&(this.#d||addEventListener("scroll",this.#u,{capture:!0,passive:!0}),this.#d+=t,this.#e.news.hidden=!1,this.#b())}#b(){p(this.#e.news,this.#i.words.missed(this.#d))}#u=()=>w(b(this.#t))&&this.catchUp();leave(){this.catchUp(),this.#a?.unmark()}catchUp(){removeEventListener("scroll",this.#u,{capture:!0}),this.#d=0,this.#e.news.hidden=!0}find(){let t=this.#t.getAttribute("query");t===null&&!this.#a||(this.#a??=new N(this.#e.bar,e=>this.#f(e)),this.#a.set(t,this.#i.words.find),this.#r.render(!0,!1),this.paint())}#w(t){return this.#a?.filter(t)??t}#f(t){t===null?(this.#t.removeAttribute("query"),this.#e.search.focus()):(this.#t.setAttribute("query",t),this.#a.focus()),this.#i.fire("find",{query:t})}open(){if(this.#t.getAttribute("open-row")===null)return this.#c.hide();this.#y()?.scrollIntoView({block:"nearest",behavior:y()?"auto":"smooth"})}#y(){let t=this.#t.getAttribute("open-row"),e=t===null?void 0:this.#r.element(t),r=e&&this.#i.watch?.replica.rows.find(i=>i.key===t);return r?this.#c.show(e,r,this.#i.words):this.#c.hide(),r&&e}#k(t){if(t.defaultPrevented||getSelection()?.type==="Range")return;let e=t.composedPath(),r=e.find(o=>o.dataset?.key!==void 0),i=e.find(o=>o.matches?.("a[href], button, input, select, [part=details], [slot=details]"));!r?.querySelector("[aria-expanded]")||i&&i.part?.value!=="disclosure"||this.#S(r.dataset.key)}#v(t){let[e]=t.composedPath(),r=e.closest?.("[data-key]");if(t.key==="/"&&!t.defaultPrevented&&this.#A(e))return t.preventDefault(),this.#f(this.#t.getAttribute("query")??"");let i=r&&r.dataset.key===this.#t.getAttribute("open-row");!r||t.defaultPrevented||(t.key==="Escape"?!i:!/^(Enter| )$/.test(t.key)||e.role!=="button")||(t.preventDefault(),this.#S(r.dataset.key))}#A(t){return this.#t.hasAttribute("find")&&!t.matches?.("input, textarea, select, [contenteditable]")}#S(t){let e=this.#t.getAttribute("open-row")===t,{fire:r}=this.#i;if(e)return r("rowclose",{key:t},!0)&&this.#t.removeAttribute("open-row");r("rowopen",{key:t},!0)&&this.#t.setAttribute("open-row",t)}#z(t){let e=E(this.#t);e===this.#o&&t.every(({target:r})=>r===this.#t)||(this.#o=e,e&&this.#s.observe(e.content,{attributes:!0,characterData:!0,childList:!0,subtree:!0}),this.#r.applyTemplate())}#C(){let{watch:t,ask:e}=this.#i;if(t?.refusal)return t.watch();t?.isConnected||t?.connection.connectNow(),this.#i.refreshable&&e()}#N(){let{watch:t,phase:e,isFirst:r,isOwn:i,lostAt:o,refreshable:a,words:s}=this.#i,{heading:d,updated:c,refresh:f,search:h,cancel:u}=this.#e;h.hidden=!this.#t.hasAttribute("find")||!(t?.replica.count||this.#t.hasAttribute("query"));let ct=t?.refusal||this.#m?t?.name:"";p(d,this.#t.getAttribute("heading")??t?.about?.title??ct??""),d.ariaLevel=this.#t.getAttribute("level")??"2",p(c,it(t?.state,s,r?"":this.#m)),c.hidden=!r&&!c.textContent,c.title=t?.state?.updatedAt?s.full(t.state.updatedAt):"",this.#t.toggleAttribute("stale",Boolean(t?.state?.staleSince||this.#m)),this.#t.toggleAttribute("offline",o>0),f.disabled=!a,W(this.#t,a),u.hidden=e!=="loading",p(u,i?s.cancel:s.hide)}#E(){let{watch:t,isFirst:e,refreshable:r,words:i}=this.#i,o=this.#L(),a=e&&this.#m&&t.connection.isAway,s=Boolean(this.#t.getAttribute("query")&&t?.replica.count)&&this.#w(t.replica.rows).length===0,d=Boolean(t)&&(s||t.replica.count===0)&&!e&&!o,c=d&&r&&!t.state?.updatedAt,f=a?"offline":d?"empty":"",h=s?i.noneFound:c?i.notLoaded:i[f];this.#e.loading.hidden=this.#e.skeleton.hidden=!e||a||Boolean(o),this.#n.paint(o,f,h,a?i.unavailable:r&&!s?i.waiting:"")}#L(){let{watch:t,phase:e,fault:r,words:i}=this.#i;if(t?.refusal){let{code:o,retry:a}=t.refusal,s=o==="unknownList",d=s?"":i.explain(t.refusal);return{title:s?i.unknownList:i.notShown,message:d,isFinal:a==="never",isUnknown:s}}return t?.connection.refusal?{title:i.notShown,message:i.explain(t.connection.refusal)}:r?{title:i[r.title],message:i.explain(r)||i[r.code]}:t?.state&&e!=="loading"?B(t.state,i):null}get#m(){let{watch:t,lostAt:e,words:r}=this.#i,i=performance.now()-e;return!e||t?.connection.refusal||i<at.shown?"":navigator.onLine===!1||i>=at.certain?r.offline:r.connecting}async#M(){if(!this.#l&&!this.#i.watch?.state?.more)return;let{LoadMore:t}=await import("../rows/load-more.js");this.#l??=new t(this.#n.more,this.#i,this.#r),this.#l.paint()}};function Ht(n){return getSelection()?.type!=="Range"&&!n.composedPath().some(t=>t.matches?.("a, button, input, [slot]:not([slot=header])"))}export{lt as ListRenderer,at as losses};
//# sourceMappingURL=list-renderer.js.map
