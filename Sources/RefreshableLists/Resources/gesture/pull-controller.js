var it=new Set(["svg","path","circle","rect"]);function d(i,t={},...e){let s=it.has(i)?document.createElementNS("http://www.w3.org/2000/svg",i):document.createElement(i);for(let r of Object.keys(t))s.setAttribute(r,`${t[r]}`);return s.append(...e),s}function z(i){let t=new CSSStyleSheet;return t.replaceSync(i),t}var A=260,Lt=z(`
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
[part=refresh] {
  inline-size: 44px; block-size: 44px; border-radius: 50%; display: grid; place-items: center;
  color: var(--rl-accent); transition: background .15s, opacity .15s;
}
[part=refresh] svg { inline-size: 24px; block-size: 24px; }
[part=refresh]:disabled { color: var(--rl-quiet); opacity: .45; cursor: default; }
[part=cancel], [part=retry] {
  min-block-size: 44px; padding-inline: 12px; border-radius: 22px; color: var(--rl-accent); font-weight: 600;
  font-size: .9375rem;
}
@media (hover: hover) { button:hover:enabled { background: color-mix(in srgb, var(--rl-accent) 12%, transparent); } }
button:active:enabled { background: color-mix(in srgb, var(--rl-accent) 20%, transparent); }

.gap { position: absolute; inset: 100% 0 auto; block-size: ${A}px; overflow: clip; pointer-events: none; }
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
`);var R={cx:12,cy:12,r:9.5},D=()=>[d("circle",{class:"track",...R}),d("circle",{class:"arc",...R,pathLength:100}),d("path",{class:"arrow",d:"M12 7.5v9m-3.5-3.5 3.5 3.5 3.5-3.5"}),d("path",{class:"mark good",d:"m8 12.3 2.8 2.8L16 9.6",pathLength:100}),d("path",{class:"mark bad",d:"M12 7.6v5.2m0 3.4v.1",pathLength:100})],rt=()=>Array.from({length:12},(i,t)=>d("path",{class:"spoke",d:"M12 3v4.2",transform:`rotate(${t*30} 12 12)`})),H={default:D,circular:D,simple:rt},w=class{#e;#t;#s;#r;#n="";#o={};#h="";#a=[];constructor(t){this.#e=t,this.#t=t.querySelector(".label").appendChild(new Text),this.#s=t.querySelector(".note"),this.#r=t.querySelector("slot"),this.#r.addEventListener("slotchange",()=>this.#l(this.#o)),t.getRootNode().adoptedStyleSheets.push(nt)}set kind(t){let e=t in H?t:"default";e!==this.#n&&(this.#n=this.#e.dataset.kind=e,this.#e.querySelector("svg").replaceChildren(...H[e]()))}paint({phase:t,outcome:e,progress:s,share:r,label:n,widest:o,note:a}){let h=t==="loading"&&r!==null,l=t==="closing"?e:t,c=this.#o,S=l!==c.state||h!==c.isMeasured;this.#o={phase:t,state:l,isMeasured:h,label:n,note:a},S&&(this.#e.dataset.state=l),h!==c.isMeasured&&this.#e.toggleAttribute("data-measured",h);let $=c.phase==="waiting"||c.phase==="primed";(s!==null||!$)&&this.fill((h?r:s)??0),S&&this.#l(this.#o),n!==c.label&&(this.#t.data=n,(!S||!$)&&(this.#t.parentElement.dataset.widest=o())),a!==c.note&&(this.#s.textContent=a)}fill(t){let e=t.toFixed(2);if(e!==this.#h){this.#h=e,this.#e.style.setProperty("--pull-progress",e);for(let s of this.#a)s.style.setProperty("--pull-progress",e),s.hasAttribute("progress")&&s.setAttribute("progress",e)}}#l({phase:t,state:e,isMeasured:s}){this.#a=this.#r.assignedElements();let r={phase:t,outcome:t==="closing"&&e,progress:(t!=="loading"||s)&&this.#h};for(let n of t?this.#a:[]){n.style.setProperty("--pull-progress",this.#h);for(let[o,a]of Object.entries(r))a?n.setAttribute(o,a):n.removeAttribute(o)}}},b=class{#e;#t;constructor(t,e){this.#e=t,this.#t=e}of(t){return this.own(t)??this.#t.words[t]}get widest(){let[t,e]=[this.of("waiting"),this.of("primed")];return t.length>e.length?t:e}own(t){return this.#e.getAttribute(`text-${t}`)??this.#t.watch?.about?.pull?.texts?.[t]}},nt=z(`
.indicator {
  display: flex; align-items: center; justify-content: center; gap: 12px; padding-inline: var(--rl-gutter);
  block-size: max(var(--rl-hold, 56px), 36px); color: var(--rl-quiet); will-change: transform;
}
.visible .indicator { visibility: visible; }
.indicator svg { inline-size: 26px; block-size: 26px; color: var(--rl-accent); }
.words {
  display: grid; line-height: 1.3; font-weight: 500; font-variant-numeric: tabular-nums;
  font-size: min(.9375rem, 5.4cqi, max(var(--rl-hold, 56px), 36px) * .42);
}
[data-state=waiting] .label::after, [data-state=primed] .label::after {
  content: attr(data-widest); display: block; block-size: 0; visibility: hidden;
}
.note { font-size: .8em; font-weight: 400; }
.note:empty, .words:not(:has(:not(:empty))), [data-kind=simple] .words, [data-kind=circular] .label,
[data-kind=circular]:not([data-state=loading]) .words {
  display: none;
}
[data-kind=circular] svg { inline-size: 30px; block-size: 30px; stroke-width: 2.5; }
.floating .indicator {
  position: absolute; left: 50%; translate: -50%; transform: translateY(8px) !important;
  inline-size: max-content; max-inline-size: calc(100% - 32px); min-block-size: 44px; block-size: auto; padding: 4px 9px; border-radius: 22px;
  background: var(--rl-background); box-shadow: 0 0 0 1px var(--rl-line), 0 6px 24px #0003; animation: appear .2s;
}
.floating .words { margin-inline-end: 9px; }
.floating { transform: none !important; }
.track { opacity: .2; }
.arc {
  stroke-dasharray: calc(var(--pull-progress, 0) * 100px) 100px; transform: rotate(-90deg); transform-origin: center;
  opacity: min(1, var(--pull-progress, 0) * 20);
}
.arrow {
  opacity: var(--pull-progress, 0); transform-origin: center; transition: transform .22s cubic-bezier(.3,1.4,.6,1);
}
.mark { stroke-dasharray: 100; stroke-dashoffset: 100; visibility: hidden; }
[data-state=primed] .arrow { transform: rotate(180deg); }
[data-state=primed] .label { color: var(--rl-accent); }
.indicator:not([data-state=waiting], [data-state=primed]) .arrow, [data-kind=circular] .arrow { display: none; }
[data-state=loading]:not([data-measured]) .arc { stroke-dasharray: 28px 100px; }
[data-state=loading]:not([data-measured], [data-kind=simple]) svg { animation: turn .8s linear infinite; }
.indicator:not([data-state=waiting], [data-state=primed]) .arc { transition: .25s; }
[data-state=cancelled] .arc { stroke-dasharray: 0 100px; opacity: 0; }
[data-state=success] .good, [data-state=failure] .bad, [data-state=timeout] .bad {
  visibility: visible; animation: draw .28s .04s cubic-bezier(.4,0,.2,1) forwards;
}
:is([data-state=failure], [data-state=timeout]) :is(svg, .label) { color: var(--rl-danger); }
.spoke { opacity: .18; stroke-width: 2.2; }
${[...Array(12).keys()].map(i=>`
.spoke:nth-child(${i+1}) {
  opacity: clamp(.18, calc((var(--pull-progress, 0) - ${i/12}) * 12), 1); animation-delay: ${(i-12)/12}s !important;
}`).join("")}
[data-state=loading]:not([data-measured]) .spoke { animation: fade 1s linear infinite; }
@keyframes turn { to { transform: rotate(1turn); } }
@keyframes draw { to { stroke-dashoffset: 0; } }
@keyframes fade { from { opacity: 1; } to { opacity: .18; } }

@media (forced-colors: active) { .floating .indicator { border: 1px solid; } }
@media (prefers-reduced-motion: reduce) {
  .mark, .floating .indicator { animation: none !important; }
  .mark { stroke-dashoffset: 0; }
  .arrow, .arc { transition: none !important; }
  [data-state=loading]:not([data-measured], [data-kind=simple]) svg {
    animation: fade 1s infinite alternate;
  }
}
`);var ot=matchMedia("(prefers-reduced-motion: reduce)"),F=()=>ot.matches,x=class{#e;#t;#s=0;#r=!0;#n=[];#o=0;#h=0;#a=0;constructor(t,e){this.#e=t,this.#t=e}get offset(){let{currentTime:t}=this.#n[0]??{};return typeof t!="number"?this.#s:Y(this.#o,this.#s,this.#h,Math.min(t,this.#a),this.#a)}place(){this.#l(this.#s)}follow(t){this.#p(),this.#l(t),this.#c()}settle(t,e,s=0){if(t===this.#s&&this.#n.length)return;let r=this.offset;if(this.#p(),this.#l(t),F()||Math.abs(r-t)<.5)return this.#c();[this.#o,this.#h,this.#a]=[r,s,e];let n=Array.from({length:16+1},(h,l)=>Y(r,t,s,l/16*e,e)),o=this.#e.filter(({place:h})=>h(r)!==h(t));this.#n=o.map(({element:h,place:l})=>h.animate(n.map(c=>({transform:l(c)||"none"})),{duration:e}));let a=this.#n[0];a.onfinish=()=>{a===this.#n[0]&&(this.#n=[],this.#c())},this.#c()}#l(t){this.#s=t;for(let e of this.#e){let s=e.place(t);s!==e.put&&(e.element.style.transform=e.put=s)}}#c(){let t=this.#s===0&&this.#n.length===0;t!==this.#r&&(this.#r=t,this.#t(t))}#p(){let t=this.#n;this.#n=[];for(let e of t)e.cancel()}};function q(i,{hold:t,isBehind:e,height:s,scrolled:r}){let n=l=>`translateY(${l<t()?l-t():(l-t())/2}px)`,o=l=>l?`translateY(${l}px)`:"",a=l=>`translateY(${s-Math.min(l,s)}px)`,h=l=>e()?`translateY(${Math.min(l,s)-s}px)`:"";return[{element:i.content,place:o},{element:i.indicator,place:l=>(e()?a:n)(l-r())},{element:i.gap,place:l=>h(l-r())}]}var y=class{#e=0;play(t){let e=performance.now();F()||e-this.#e<150||(this.#e=e,navigator.vibrate?.(t))}};function Y(i,t,e,s,r){let n=o=>(i-t+(e*1e3+25*(i-t))*o)*Math.exp(-25*o);return t+n(s/1e3)-n(r/1e3)*(s/r)}var B=Object.freeze({standard:Object.freeze({trigger:"release",threshold:64,minimum:10,hold:56,hysteresis:8}),recipe:Object.freeze({trigger:"return",threshold:50,minimum:10,hold:50,hysteresis:8}),progress:Object.freeze({trigger:"crossing",threshold:100,minimum:10,hold:36,hysteresis:8}),classic:Object.freeze({trigger:"release",threshold:70,minimum:10,hold:70,hysteresis:8})}),f=class{#e;#t="cancelled";#s;#r=0;#n=null;#o=0;#h=0;constructor(t,e=!1){this.configuration=t,this.#e=e?"loading":"waiting"}get phase(){return this.#e==="asked"?"loading":this.#e}get progress(){return this.#o}get gesture(){return this.#r}get peak(){return this.#n}get ignored(){return this.#h}handle(t){if(!lt(t))return this.#g();let e=this.#a(t),s=this.#s;return s&&s.phase!=="waiting"&&(this.#e==="waiting"||this.#e==="closing")&&(e.state=this.#k(s.gesture,"waiting",0)),e}#a(t){switch(t.type){case"sample":return this.#l(t.gesture,t.offset);case"release":return this.#p(t.gesture,t.offset,t.peak??null);case"cancel":return this.#x(t.gesture);case"begin":return this.#w(this.#e!=="loading","loading");case"refuse":return this.#w(this.#e==="asked","waiting");case"end":return this.#w(this.phase==="loading","closing");case"settle":return this.#w(this.#e==="closing","waiting");default:return this.#g()}}#l(t,e){if(this.#u(t),t!==this.#r||!this.#d)return this.#g();this.#n=this.#T(e)?e:Math.max(this.#n??e,e);let s={};return this.#t==="down"&&this.phase!=="loading"&&this.#c(e)&&(s.refresh=t),s.state=this.#k(t,this.phase,this.#o),s}#c(t){let{threshold:e,trigger:s}=this.configuration;if(this.#o=this.#v(t),this.#n<e)return this.#e="waiting",!1;let r=s==="crossing"||s==="return"&&t<e;return this.#e=r?"asked":"primed",r&&(this.#t="fired"),r}#p(t,e,s){if(this.#u(t),t!==this.#r)return this.#g("repeated");switch(this.#t){case"down":return this.#m(e,Math.max(s??this.#n??e,e));case"fired":return this.#f("own");case"spent":return this.#f("spent");case"released":return{answer:"repeated"};default:return this.#g("spent")}}#m(t,e){return e<this.configuration.threshold||this.#T(t)?this.#f("belowThreshold"):(this.#t="released",this.phase==="loading"?{refresh:this.#r,answer:"joins"}:(this.#o=this.#v(t),this.#e="asked",{refresh:this.#r,answer:"run"}))}#f(t){return this.#t="released",this.#i(),{answer:t}}#x(t){return this.#u(t),t!==this.#r||!this.#d?this.#g():(this.#t="cancelled",this.#i(),{})}#u(t){t<=this.#r||(this.#r=t,this.#t="down",this.#n=null)}#i(){this.#e!=="waiting"&&this.#e!=="primed"||(this.#e="waiting",this.#o=0)}#w(t,e){return t?(this.phase==="loading"&&e!=="loading"&&this.#t==="down"&&(this.#t="spent"),this.#e=e,e==="waiting"&&(this.#o=0),{}):this.#g()}#g(t){return this.#h+=1,t?{answer:t}:{}}#k(t,e,s){return this.#s={gesture:t,phase:e,progress:s}}get#d(){return this.#t==="down"||this.#t==="fired"||this.#t==="spent"}#v(t){let{minimum:e,threshold:s}=this.configuration;return t<=e?0:t>=s?1:(t-e)/(s-e)}#T(t){let{trigger:e,threshold:s,hysteresis:r}=this.configuration;return e==="release"&&t<=s-r}},g=class{#e=null;#t=null;hear(t,e=null){if(!(t in p))return[];let s=this.#t??"waiting",n=!(t==="waiting"&&(this.#t===null||e===null))&&(e!==this.#e||p[t]<p[s]);return this.#e=e,this.#t=t,n?[...s==="loading"?E(s,"closing"):[],{type:"begin"},...E("loading",t)]:E(s,t)}},p={loading:0,closing:1,waiting:2},at=[{type:"end"},{type:"settle"}];function E(i,t){return at.slice(p[i],p[t])}function lt({type:i,gesture:t,offset:e,peak:s}){let r=n=>Number.isFinite(n)&&Math.abs(n)<=1e4;return i!=="sample"&&i!=="release"&&i!=="cancel"?!0:Number.isSafeInteger(t)&&t>0&&(i==="cancel"||r(e)&&r(s??0))}var k=class{#e;constructor({clientHeight:t}){this.#e=Math.min(900,Math.max(480,t))}stretch(t){return t<=0?0:(1-1/(.55*t/this.#e+1))*this.#e}travel(t){return t<=0?0:(1/(1-Math.min(t,this.#e-1)/this.#e)-1)*this.#e/.55}};var ht=navigator.vendor.startsWith("Apple")&&!CSS.supports("-webkit-touch-callout","none"),I=i=>/^(auto|scroll|overlay)$/.test(getComputedStyle(i).overflowY),G=i=>i.scrollHeight>i.clientHeight&&I(i);function*W(i){for(let t=i;t&&t!==document.body;t=t.assignedSlot??t.parentNode??t.host)t instanceof Element&&(yield t)}function u(i){for(let t of W(i))if(G(t))return t;return document.scrollingElement??document.documentElement}function M(i){return i===document.scrollingElement?document:i}function L(i){return i.scrollTop<=.5}function _(i,t){for(let e of i){if(e===t)break;if(e instanceof Element&&e.scrollTop>.5&&G(e))return!1}return L(t)}var C=new Map;function J(i){let t=ht?[]:[document.documentElement];for(let s of W(i))if(I(s)){t.push(s);break}let e=t.map(ct);return()=>e.forEach(s=>s())}function ct(i){let t=C.get(i)??{count:0,before:i.style.overscrollBehaviorY};return t.count+=1,C.set(i,t),i.style.overscrollBehaviorY="contain",()=>{t.count-=1,!(t.count>0)&&(i.style.overscrollBehaviorY=t.before,C.delete(i))}}function P(i,t){let e=t?.last?.run;return e!==void 0&&(e===i||U(e)>U(i))}function U(i){return Number(/\d+$/.exec(i)?.[0]??NaN)}var dt="[data-pull-ignore], input, select, textarea, [contenteditable]",ut=["blur","pagehide","orientationchange","visibilitychange"],v=class{#e;#t;#s=null;#r=null;constructor(t,e){this.#e=t,this.#t=e}connect(t){this.#e.addEventListener("pointerdown",this,{signal:t});for(let e of ut)addEventListener(e,this,{signal:t})}near(t){this.#e.removeEventListener("touchstart",this),t&&this.#e.addEventListener("touchstart",this,{passive:!1})}cancel(){this.#f()?.isClaimed&&this.#t.cancelled(0)}handleEvent(t){switch(t.type){case"touchstart":return this.#n(t);case"touchmove":return this.#a(t,t.touches[0],t.cancelable)&&t.preventDefault();case"pointerdown":return this.#o(t);case"pointermove":return this.#a(t,t,!0);case"touchend":case"pointerup":return this.#m(t);case"dragstart":case"selectstart":return t.preventDefault();default:this.cancel()}}#n(t){if(this.#r?.isClaimed||t.touches.length>1)return this.cancel();if(this.#f(),!N(t,this.#t))return;let e=this.#h(t,t.touches[0],null),[s]=t.composedPath();for(let r of["touchmove","touchend","touchcancel"])s.addEventListener(r,this,{signal:e,passive:!1});addEventListener("touchstart",this,{signal:e,passive:!0,capture:!0})}#o(t){if(t.pointerType==="touch"||!t.isPrimary||t.button!==0||t.pointerType==="mouse"&&!this.#t.isHandle(t.composedPath())||(this.cancel(),!N(t,this.#t)))return;let e=this.#h(t,t,t.pointerId);for(let s of["pointermove","pointerup","pointercancel"])addEventListener(s,this,{signal:e});this.#e.addEventListener("dragstart",this,{signal:e})}#h({timeStamp:t},{clientX:e,clientY:s},r){let n=this.#r={x:e,y:s,at:t,pointer:r,isClaimed:!1,travel:0,samples:[],timer:setTimeout(()=>n.isClaimed&&this.#c(n),180)},{signal:o}=this.#s=new AbortController;return addEventListener("keydown",({key:a})=>a==="Escape"&&this.cancel(),{signal:o}),o}#a({timeStamp:t},{clientX:e,clientY:s},r){let n=this.#r,o=s-n.y;if(!n.isClaimed&&!this.#l(n,e-n.x,o,r))return!1;let{samples:a}=n,h=t-n.at<80;return h||(n.timer&&=clearTimeout(n.timer)),n.travel=o-8,a.push([t,this.#t.moved(n.travel,h)])>5&&a.shift(),!0}#l(t,e,s,r){return Math.hypot(e,s)<8?!1:s<1.2*Math.abs(e)||!r?(this.#f(),!1):(t.isClaimed=!0,this.#t.claimed(),t.pointer!==null&&this.#p(t.pointer),!0)}#c({samples:t,at:e,travel:s}){t.at(-1)[0]-e<80&&this.#t.moved(s,!1)}#p(t){this.#e.setPointerCapture(t),getSelection()?.removeAllRanges(),document.addEventListener("selectstart",this,{signal:this.#s.signal})}#m({timeStamp:t}){let e=this.#f();if(!e.isClaimed)return;e.pointer!==null&&xt();let s=bt(e.samples,t);if(t-e.at<80)return this.#t.cancelled(s);this.#c(e),this.#t.released(s)}#f(){let t=this.#r;return this.#r=null,clearTimeout(t?.timer),this.#s?.abort(),t}},K=120,pt=1e3,ft=1e4,V=250,gt=24,mt=60,wt=6,T=class{#e;#t;#s=null;#r=-1/0;#n=-1/0;#o=0;constructor(t,e){this.#e=t,this.#t=e}connect(t){for(let e of["touchstart","touchend","touchcancel"])this.#e.addEventListener(e,this,{passive:!0,signal:t})}near(t){this.#e.removeEventListener("wheel",this),this.#r=performance.now(),t&&this.#e.addEventListener("wheel",this,{passive:!0})}cancel(){this.#c()?.isClaimed&&this.#t.cancelled(0)}handleEvent(t){if(t.type!=="wheel"&&(this.#n=t.timeStamp+(t.type==="touchstart"?ft:0)),t.timeStamp-this.#n<pt)return this.cancel();t.timeStamp-this.#r>K&&this.#h(t),this.#r=t.timeStamp,this.#s&&this.#a(this.#s,t)}#h(t){this.#l(),N(t,this.#t)&&(this.#s={at:t.timeStamp,x:0,y:0,isClaimed:!1,last:0,highest:0,falls:0})}#a(t,e){let s=yt(e),r=-e.deltaY;if(r<0||e.ctrlKey||e.shiftKey)return this.cancel();if(kt(t,r))return this.#l();if(t.x+=Math.abs(e.deltaX),t.y+=s||r>mt?0:Math.min(r,gt),!(t.y<8)){if(!t.isClaimed&&t.y<1.2*t.x)return this.cancel();t.isClaimed||this.#t.claimed(),t.isClaimed=!0,this.#t.moved(t.y-8,e.timeStamp-t.at<V),clearTimeout(this.#o),this.#o=setTimeout(()=>this.#l(),K)}}#l(){let t=this.#c();t?.isClaimed&&(this.#r-t.at<V||document.hidden?this.#t.cancelled(0):this.#t.released(0))}#c(){let t=this.#s;return this.#s=null,clearTimeout(this.#o),t}};function N(i,t){if(i.defaultPrevented||!t.mayPull()||(globalThis.visualViewport?.scale??1)>1.01)return!1;let e=i.composedPath();return e.some(s=>s instanceof Element&&s.matches(dt))||i.type==="touchstart"&&getSelection()?.type==="Range"?!1:t.isAtTop(e)}function bt(i,t){let[e,s]=[i[0],i.at(-1)];return t-s[0]>50||s[0]===e[0]?0:(s[1]-e[1])/(s[0]-e[0])}function xt(){let i=t=>{t.preventDefault(),t.stopPropagation()};addEventListener("click",i,{capture:!0,once:!0}),setTimeout(()=>removeEventListener("click",i,{capture:!0}),0)}function yt(i){let{deltaMode:t}=i;return t>0||i.wheelDeltaY%120===0&&i.wheelDeltaY!==-3*i.deltaY}function kt(i,t){return t<i.last&&(i.falls+=1),t>i.last&&(i.falls=0),i.last=t,i.highest=Math.max(i.highest,t),i.falls>=wt&&t<=i.highest/2}function X(i,t,e=""){let{updatedAt:s,staleSince:r}=i??{},n=s?t.updated(t.ago(Math.min(s,Date.now()))):"";return[e||n&&r&&t.stale,n].filter(Boolean).join(" · ")}function Q({last:i},t,e){return i?.outcome==="cancelled"?t.cancelled:i?.outcome&&i.outcome!=="success"?t.failed:e??vt(i,t)??t.upToDate}function Z({completed:i,total:t,note:e},{number:s,share:r}){if(t&&e?.includes(t))return e;let n=i&&s(i);return[t?r(i,t):n,e].filter(Boolean).join(" · ")}function vt(i,t){let{inserted:e,changed:s,moved:r,removed:n}=i?.changes??{moved:1};return e?t.news(e):s?t.changes(s):r||n?null:t.noNews}var O=250,tt=300,m=200,Tt=500,St=700,zt=280,At=1e3,et=5e3,Et=300,j=10,Ct="gap visible",st=class{#e=null;#t=null;#s=new f(B.standard);#r=new g;#n=new y;#o=!1;#h=!1;#a=!1;#l=!1;#c=null;#p=null;#m=0;#f=!1;#x={linger:0,patience:0};#u;#i;#w;#g;#k;#d;#v;#T;#L;constructor(t,e,s){this.#u=t,this.#i=s,this.#w=e,this.#g=new w(e.indicator),this.#k=new b(t,s);let r=q(e,{hold:()=>this.#y,isBehind:()=>this.#f,height:A,scrolled:()=>this.#m});this.#d=new x(r,o=>o?this.#Y():this.#A(!0));let n={mayPull:()=>s.refreshable&&!this.isDown&&!s.isFirst,isHandle:o=>o.includes(e.bar)||o[0]===t,isAtTop:o=>_(o,u(t)),claimed:()=>this.#q(),moved:(o,a)=>this.#B(o,a),released:o=>this.#_(o),cancelled:o=>this.#J(o)};this.#v=[new v(t,n),new T(t,n)],this.#T=new IntersectionObserver(o=>{for(let a of this.#v)a.near(o.at(-1).isIntersecting)})}connect(){let{signal:t}=this.#L=new AbortController;t.addEventListener("abort",J(this.#u));for(let e of this.#v)e.connect(t);this.#T.observe(this.#w.status)}disconnect(){this.#T.disconnect(),this.#L.abort(),this.reset()}reset(){this.cancel();for(let t of Object.values(this.#x))clearTimeout(t);this.#t=this.#c=null,this.#a=this.#l=this.#o=this.#h=!1,this.#P(this.#s.configuration),this.#d.follow(0)}configure(t){JSON.stringify(t)!==JSON.stringify(this.#s.configuration)&&(this.cancel(),this.#P(t)),this.#u.style.setProperty("--rl-hold",`${this.#y}px`)}get own(){if(this.#t)return{phase:"primed",progress:1};let t=this.#e,{phase:e}=this.#s;if(!t||t.isSpent||e==="loading"||e==="closing")return null;let r=t.offset===t.sentOffset&&performance.now()-t.sentAt>Et?this.#i.watch.own:null;return r?.gesture===t.gesture?r:this.#s}follow(){let{own:t}=this;t&&t.phase!==this.#i.phase?this.#i.turn():t&&this.#g.fill(t.phase==="waiting"?t.progress:1)}get isDown(){return this.#e!==null}get isAsking(){return this.isDown||this.#t!==null}isOurs(t){return t==="primed"?this.isDown:t==="loading"&&this.#h}cancel(){for(let t of this.#v)t.cancel()}update(t){for(let s of this.#r.hear(t.phase,t.heard))this.#s.handle(s);(t.phase==="loading"||this.#t?.run&&P(this.#t.run,t))&&(this.#t=null)}ask(t){return this.#i.phase==="loading"?null:(this.#R(t),this.#C(),this.#b(O),this.#t)}drop(t){!t||t!==this.#t||(this.#t=null,this.#h=!1,this.#b(tt),this.#i.paint())}turn(t,e){e!=="waiting"&&this.#S(),e==="primed"&&!this.#t&&this.#M(2*j),t==="loading"&&this.#o&&this.#M(j),t==="loading"&&(this.#o=this.#h=!1),e==="loading"?this.#K():t==="loading"&&e==="closing"?this.#H():e==="waiting"&&!this.#e&&!this.#c&&this.#D()}#H(){if(this.#d.offset===0&&!this.#l)return;this.#c=this.#i.state;let{outcome:t,changes:e={}}=this.#c.last??{},s=t!=="success"||Object.values(e).some(r=>r>0);this.#x.linger=setTimeout(()=>this.#D(),s?St:zt)}#S(){clearTimeout(this.#x.linger),this.#c=null}#Y(){this.#S(),this.paint()}paint(){let{watch:t,words:e}=this.#i,s=this.#z,r=s==="loading";this.#A();let n=r?t?.progress:null;this.#g.kind=this.#u.getAttribute("indicator")??this.#s.configuration.indicator,this.#g.paint({phase:this.#t?"loading":s,outcome:(this.#c??t?.state)?.last?.outcome??"success",progress:s==="waiting"?this.own?.progress??(this.#d.offset>0?null:0):1,share:n?.total?Math.min(1,n.completed/n.total):null,label:this.#V,widest:()=>this.#k.widest,note:n?Z(n,e):r||s==="closing"||this.#t?"":X(t?.state,e)})}get#z(){let{phase:t}=this.#i;return t==="waiting"&&this.#c&&!this.#e?"closing":t}#A(t=this.#d.offset>0){let e=this.#z;e==="waiting"&&!this.#t&&(this.#l=!1);let s=e==="loading"?!this.#i.isFirst:this.#l||t||this.#t;this.#F(Boolean(s&&t));let r=this.#m>0&&this.#m>=this.#y&&!this.#e,n=s?Ct+(this.#l||r?" floating":""):"gap";n!==this.#w.gap.className&&(this.#w.gap.className=n)}#F(t){t!==Boolean(this.#p)&&(this.#p&&M(this.#p).removeEventListener("scroll",this.#E),this.#p=t?u(this.#u):null,t&&M(this.#p).addEventListener("scroll",this.#E,{passive:!0}),this.#E())}#E=()=>{let t=Math.min(Math.max(0,this.#p?.scrollTop??0),this.#y);t!==this.#m&&(this.#m=t,this.#d.place(),this.#p&&this.#A())};get#y(){return this.#s.configuration.hold}#P(t){this.#s=new f(t),this.#r=new g,this.#i.watch?.state&&this.update(this.#i.watch.state)}#q(){let{offset:t}=this.#d;this.#f=this.#u.hasAttribute("behind");let e=this.#i.watch.state?.phase==="loading"||this.#t!==null;e||this.#S(),this.#a||=e,this.#l=!1;let s=this.#i.watch.connection.nextGesture(),r=new k(u(this.#u));this.#e={gesture:s,offset:t,isSpent:e,sentPhase:"waiting",band:r,base:r.travel(t)}}#B(t,e){let s=this.#e,r=s.band.stretch(s.base+t);if(s.isSpent)return this.#I(s,r);e||(s.timer||=setInterval(()=>this.#G(),Tt));let{threshold:n,hysteresis:o}=this.#s.configuration,a=Math.round(r*10)/10,h=s.offset=e?Math.min(a,n-o):a;this.#d.follow(a);let{refresh:l}=this.#s.handle({type:"sample",gesture:s.gesture,offset:h});if(l!==void 0&&this.#W(),s!==this.#e)return r;this.#s.phase!==s.sentPhase&&this.#O(s,!0);let c={offset:a,progress:this.#s.progress,gesture:s.gesture};return this.#u.dispatchEvent(new CustomEvent("pull",{detail:c})),this.follow(),r}#I(t,e){return t.offset=e,this.#d.follow(Math.round(e*10)/10),e}#N({offset:t},e,s){if(s&&this.#i.watch?.state?.phase==="loading"&&this.#i.phase!=="loading"&&t>=this.#s.configuration.threshold&&this.#i.ask(),this.#t||this.#i.phase==="loading")return this.#b(m,e);this.#a=!1,this.#b(m,e),this.#i.turn()}#O(t,e){t.sentPhase=this.#s.phase,t.sentOffset=t.offset,t.sentAt=performance.now(),this.#i.watch.pull(t.gesture,t.offset,e)}#G(){let t=this.#e,e=t.offset===t.wasAt;t.wasAt=t.offset,e&&t.offset!==t.sentOffset?this.#O(t,!1):e&&this.follow()}#W(){this.#i.consents("pull")||this.cancel(),this.#e&&(this.#e.isFired=!0,this.#a=this.#o=!0,this.#C(),this.#M(j))}#_(t){let e=this.#j();if(e.isSpent)return this.#N(e,t,!0);let{gesture:s,offset:r,isFired:n}=e,o=Math.max(this.#s.peak??r,r),{refresh:a}=this.#s.handle({type:"release",gesture:s,offset:r,peak:o}),h=a!==void 0||n,{watch:l}=this.#i,c=a!==void 0&&!this.#i.consents("pull");if(l===this.#i.watch){if(c)return this.#s.handle({type:"refuse"}),l.cancelPull(s),this.#b(m,t),this.#i.turn();h&&(this.#a=!0),a!==void 0&&(this.#o=!0),a!==void 0&&this.#i.phase!=="loading"&&this.#C(),this.#U(l.releasePull(s,r,o),h),this.#b(h?O:m,t),this.#i.turn()}}#J(t){let e=this.#j();if(e.isSpent)return this.#N(e,t,!1);let{gesture:s,isFired:r}=e;this.#s.handle({type:"cancel",gesture:s}),r&&(this.#x.patience=setTimeout(()=>this.drop(this.#t),et)),this.#i.watch?.cancelPull(s),this.#b(m,t),this.#i.turn()}#j(){let t=this.#e;return this.#e=null,clearInterval(t.timer),t}async#U(t,e){let{watch:s}=this.#i;try{let{run:r,reason:n}=await t;if(s!==this.#i.watch||(r&&this.#t&&(this.#t.run=r),r&&!P(r,s.state)))return;!r&&e?this.#$(n):this.drop(this.#t)}catch(r){if(s!==this.#i.watch)return;this.#$(),this.#i.fail("failed",r)}}#$(t){this.#s.handle({type:"refuse"}),t==="tooSoon"&&this.#i.say(this.#i.words.noNews),this.drop(this.#t)}#C(){this.#t={since:performance.now(),run:null},this.#h=!0}#b(t,e=0){if(this.#e)return;this.#f=this.#u.hasAttribute("behind");let s=this.#a&&(this.#t||this.#i.phase==="loading");this.#d.settle(s?this.#y:0,t,e)}#R(t=!1){this.#a=!t&&L(u(this.#u))&&!this.#i.isFirst,this.#l=!this.#a&&!this.#i.isFirst}#K(){!this.#a&&!this.#l&&this.#R(),this.#b(O)}#D(){if(this.#e||this.#t)return;let t=u(this.#u),e=this.#d.offset>0;this.#a&&t.scrollTop>this.#y&&this.#d.offset>=this.#y&&(this.#d.follow(0),t.scrollTop-=this.#y),this.#a=!1,this.#b(tt),e||this.#S(),this.paint()}get#V(){let{watch:t,words:e,lostAt:s}=this.#i,r=this.#z;if(r==="closing"&&!this.#t)return Q(this.#c??t?.state??{},e,this.#k.own("closing"));let n=this.#k.of(this.#t?"loading":r);if(!this.#t)return n;let o=(s?At:et)-(performance.now()-this.#t.since);return o<0?e.queued:(this.#X("patience",o+10),n)}#M(t){this.#s.configuration.haptics&&this.#n.play(t)}#X(t,e){clearTimeout(this.#x[t]),this.#x[t]=setTimeout(()=>this.#i.paint(),e)}};export{st as PullController};
//# sourceMappingURL=pull-controller.js.map
