var h=(r,t)=>`<svg viewBox="0 0 ${r} ${r}" aria-hidden="true">${t}</svg>`,p=h(24,'<path d="M19.2 12a7.2 7.2 0 1 1-2.1-5.1l2.1 2.1"/><path d="M19.4 4.4V9h-4.6"/>'),b=`
<header part="bar"><div class="bar-content">
  <button part="refresh" type="button" aria-label="Refresh">${p}</button>
  <button part="cancel" type="button" hidden></button>
  <slot name="start"></slot>
  <div class="titles"><h2 part="heading" tabindex="-1"></h2><p part="updated"></p></div>
</div>
<div class="gap"><div part="indicator" class="indicator" aria-hidden="true"><slot name="indicator">
  ${h(24,"")}<span class="words"><span class="label"></span><span class="note"></span></span>
</slot></div></div><button part="news" type="button" hidden></button></header>
<div part="content">
  <slot name="header"></slot>
  <slot></slot><ul part="rows" role="list"></ul>
  <slot name="loading"><div part="skeleton" aria-hidden="true">${"<p><i></i><i></i></p>".repeat(7)}</div></slot>
</div>
<p role="status" class="visually-hidden"></p>`;function d(r,t){r.textContent!==t&&(r.textContent=t)}var f=600,c=class{#t;#e;#r=!1;#n=!1;#s;#l=new IntersectionObserver(([{isIntersecting:t}])=>{this.#r=t,this.#i()},{rootMargin:`0px 0px ${f}px`});#a;constructor(t,e,s){this.#t=t,this.#e=e,this.#a=s,t.getRootNode().host.addEventListener("keydown",i=>this.#h(i)),t.querySelector("button").addEventListener("click",()=>this.#d()),this.#l.observe(t),addEventListener("scroll",()=>{this.#n=!0,this.#i()},{capture:!0,passive:!0,once:!0})}paint(){let t=this.#o,{words:e,watch:s}=this.#e;this.#t.hidden=!t,this.#t.dataset.state=t;let[i,a]=this.#t.children,{error:n}=s?.state?.last??{};d(i,{failed:n?.message??e.notMore,exhausted:e.exhausted}[t]??""),d(a,{failed:e.retry,loading:e.loadingMore}[t]??e.loadMore),a.ariaDisabled=t==="loading"?"true":null;let o=t==="exhausted"&&a.matches(":focus");a.hidden=t==="exhausted",this.#a.number(t==="exhausted"?s.replica.count:-1),o&&this.#a.elements.at(-1)?.focus(),this.#i()}#h(t){let{key:e,ctrlKey:s}=t,i=this.#a.elements,a=i.indexOf(t.composedPath().find(({role:u})=>u==="article")),[n,o]=[this.#t.lastElementChild,this.#t.getRootNode().querySelector("[part=refresh]")],l={PageDown:i[a+1]??n,PageUp:i[a-1],End:s&&n,Home:s&&o}[e];a<0||!l||(t.preventDefault(),l.focus())}get#o(){let{more:t,cause:e,last:s}=this.#e.watch?.state??{};return e==="more"||this.#s!==void 0?"loading":s?.cause==="more"&&s.error?"failed":t?"idle":s?.cause==="more"?"exhausted":""}#i(){this.#r&&this.#o==="idle"&&this.#n&&this.#d()}async#d(){let{watch:t}=this.#e;if(!(this.#s!==void 0||!t)){this.#s=t.replica.rows.at(-1)?.key,this.paint();try{await t.more(this.#s)}catch(e){this.#e.fail("notMore",e)}finally{this.#s=void 0,this.paint()}}}};export{c as LoadMore};
//# sourceMappingURL=load-more.js.map
